import { useMutation } from "@tanstack/react-query";
import { Undo2, X } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "@/components/button";
import { sayError } from "@/ipc/client";
import { useAction } from "@/lib/actions";
import { shortcutLabel } from "@/lib/keyboard";
import { type Deletion, useUndo } from "@/state/undo";

/** How long a deletion is offered to be taken back; the engine keeps it somewhat longer. */
const offeredMs = 12_000;

/**
 * What was just deleted, and the way back. It has a place of its own under the documents, so that it lies over nothing that
 * is typed or clicked next; where the library is folded away it floats below the bar at the top.
 */
export function UndoNotices({ floating = false }: { floating?: boolean }) {
  const offers = useUndo((state) => state.offers);
  return (
    <div
      role="status"
      className={
        floating
          ? "-translate-x-1/2 fixed top-12 left-1/2 z-40 flex w-[320px] max-w-[calc(100vw-32px)] flex-col gap-2"
          : "flex shrink-0 flex-col gap-2 px-1.5 not-empty:pb-1.5"
      }
    >
      {offers.map((offer, at) => (
        <UndoNotice key={offer.kind} offer={offer} newest={at === offers.length - 1} />
      ))}
    </div>
  );
}

function UndoNotice({ offer, newest }: { offer: Deletion; newest: boolean }) {
  const { t } = useTranslation();
  const withdraw = useUndo((state) => state.withdraw);
  const { kind, titles, restore } = offer;
  const [held, setHeld] = useState(false);
  const undo = useMutation({ mutationFn: restore, onSuccess: () => withdraw(kind) });
  const { mutate, isPending, isError } = undo;
  // It stays while it is looked at, is being done, or could not be done.
  const waits = !held && !isPending && !isError;
  useEffect(() => {
    if (!waits || titles.length === 0) {
      return undefined;
    }
    const timer = setTimeout(() => withdraw(kind), offeredMs);
    return () => clearTimeout(timer);
  }, [waits, kind, titles, withdraw]);
  const [title] = titles;
  const said =
    titles.length === 1 && title !== undefined ? t("undo.one", { title }) : t(`undo.${kind}`, { count: titles.length });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: being looked at only holds the offer, nothing is done here
    <div
      data-testid="undo-notice"
      className="rounded-md border border-line bg-paper pt-1.5 pr-1 pb-1.5 pl-2.5 shadow-sm"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <p className="pr-1 text-xs">
        <span className="line-clamp-2 break-words">{said}</span>
        {isError && <span className="block text-warn">{sayError(undo.error)}</span>}
      </p>
      <div className="mt-1 flex items-center justify-between">
        <Button className="h-6" onClick={() => mutate()} disabled={isPending}>
          <Undo2 aria-hidden size={13} />
          {t("undo.undo")}
          {newest && (
            <span aria-hidden className="font-normal text-muted">
              {shortcutLabel("undoDelete")}
            </span>
          )}
        </Button>
        <IconButton label={t("app.close")} className="size-6" onClick={() => withdraw(kind)}>
          <X size={13} />
        </IconButton>
      </div>
      {newest && <UndoKey onUndo={mutate} />}
    </div>
  );
}

/** The key takes back what was deleted last. */
function UndoKey({ onUndo }: { onUndo: () => void }) {
  useAction(
    "undoDelete",
    useCallback(() => onUndo(), [onUndo]),
  );
  return null;
}
