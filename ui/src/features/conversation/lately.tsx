import { FileText, MessageSquare } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ListedDocument } from "@/ipc/bindings";
import { useConversations } from "@/ipc/queries";
import { targetOfDocument, useView } from "@/state/view";

/** So many of each: what is further back is found in the library and the history. */
const most = 5;

/** Where to go on: what was asked and what was added last. */
export function Lately({ documents }: { documents: readonly ListedDocument[] }) {
  const { t } = useTranslation();
  const conversations = useConversations().data ?? [];
  const setConversation = useView((state) => state.setConversation);
  const open = useView((state) => state.open);
  const asked = newest(conversations, (conversation) => conversation.updated_at);
  const added = newest(documents, (document) => document.created_at);
  return (
    <div className="mt-10 grid gap-x-8 gap-y-6 sm:grid-cols-2" data-testid="lately">
      {asked.length > 0 && (
        <List title={t("ask.latelyAsked")}>
          {asked.map(({ conversation_id: id, title }) => (
            <Entry
              key={id}
              name={title}
              icon={<MessageSquare aria-hidden size={13} className="shrink-0 text-muted" />}
              onOpen={() => setConversation(id)}
            />
          ))}
        </List>
      )}
      <List title={t("ask.latelyAdded")}>
        {added.map(({ collection, document_id: documentId, title }) => (
          <Entry
            key={`${collection}/${documentId}`}
            name={title}
            icon={<FileText aria-hidden size={13} className="shrink-0 text-muted" />}
            onOpen={() => documentId !== null && open(targetOfDocument({ collection, documentId, title }))}
          />
        ))}
      </List>
    </div>
  );
}

/** The first few by a moment, the last one first. */
function newest<Item>(items: readonly Item[], moment: (item: Item) => string): Item[] {
  return [...items].sort((one, other) => moment(other).localeCompare(moment(one))).slice(0, most);
}

function List({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="min-w-0">
      <h3 className="border-line border-b pb-1.5 font-semibold text-2xs text-muted uppercase tracking-wider">
        {title}
      </h3>
      <ul className="-mx-2 mt-1">{children}</ul>
    </section>
  );
}

function Entry({ name, icon, onOpen }: { name: string; icon: ReactNode; onOpen: () => void }) {
  return (
    <li>
      <button
        type="button"
        title={name}
        onClick={onOpen}
        className="flex h-7 w-full items-center gap-2 rounded px-2 text-left hover:bg-hover"
      >
        {icon}
        <span className="truncate">{name}</span>
      </button>
    </li>
  );
}
