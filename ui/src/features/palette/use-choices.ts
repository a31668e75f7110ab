import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useCollections, useConversations, useDocuments } from "@/ipc/queries";
import { runAction } from "@/lib/actions";
import { isReadable } from "@/lib/document-state";
import { isAction, shortcutLabel, shortcuts } from "@/lib/keyboard";
import { matching } from "@/lib/matching";
import { useSelectedCollection } from "@/state/selected-collection";
import { targetOfDocument, useViewParts } from "@/state/view";

/** Something that can be chosen. */
export interface Choice {
  key: string;
  name: string;
  detail: string;
  run(): void;
}

export interface ChoiceGroup {
  name: string;
  choices: Choice[];
}

/** More of one kind than this are found by typing on. */
const mostOfAKind = 7;

/** Everything whose name fits what was typed, by kind. */
export function useChoices(typed: string): ChoiceGroup[] {
  const { t } = useTranslation();
  const documents = useDocuments(null).data;
  const collections = useCollections().data;
  const conversations = useConversations().data;
  const { open, setConversation, setDraft, openSearch, set } = useViewParts(
    "open",
    "setConversation",
    "setDraft",
    "openSearch",
    "set",
  );
  const select = useSelectedCollection((state) => state.select);

  return useMemo(() => {
    const best = <Thing>(things: readonly Thing[], nameOf: (thing: Thing) => string) =>
      matching(things, nameOf, typed).slice(0, mostOfAKind);
    const readable = (documents ?? []).flatMap((document) =>
      document.document_id !== null && isReadable(document.state)
        ? [{ ...document, documentId: document.document_id }]
        : [],
    );
    const groups: ChoiceGroup[] = [
      {
        name: t("palette.documents"),
        choices: best(readable, (document) => document.title).map((document) => ({
          key: `document ${document.collection}/${document.documentId}`,
          name: document.title,
          detail: document.collection,
          run: () => open(targetOfDocument(document)),
        })),
      },
      {
        name: t("palette.collections"),
        choices: best(collections ?? [], (collection) => collection.name).map(({ name, documents: count }) => ({
          key: `collection ${name}`,
          name,
          detail: String(count),
          run: () => {
            select(name);
            runAction("focusLibrary");
          },
        })),
      },
      {
        name: t("palette.conversations"),
        choices: best(conversations ?? [], (conversation) => conversation.title).map((conversation) => ({
          key: `conversation ${conversation.conversation_id}`,
          name: conversation.title,
          detail: t("history.answers", { count: conversation.answers }),
          run: () => {
            set({ searchOpen: false });
            setConversation(conversation.conversation_id);
          },
        })),
      },
      {
        name: t("palette.actions"),
        choices: best(
          shortcuts.flatMap(({ action }) => (isAction(action) && action !== "palette" ? [action] : [])),
          (action) => t(`keys.${action}`),
        )
          .filter((action) => action !== "openCitation")
          .map((action) => ({
            key: `action ${action}`,
            name: t(`keys.${action}`),
            detail: shortcutLabel(action),
            run: () => runAction(action),
          })),
      },
    ];
    if (typed !== "") {
      groups.push({
        name: t("palette.words"),
        choices: [
          {
            key: "search",
            name: t("palette.searchFor", { words: typed }),
            detail: shortcutLabel("search"),
            run: () => openSearch(typed),
          },
          { key: "ask", name: t("palette.askFor", { words: typed }), detail: "", run: () => setDraft(typed) },
        ],
      });
    }
    return groups.filter((group) => group.choices.length > 0);
  }, [t, typed, documents, collections, conversations, open, select, setConversation, setDraft, openSearch, set]);
}
