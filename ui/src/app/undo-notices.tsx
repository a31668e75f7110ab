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

/** What was just deleted, and the way back. */
export function UndoNotices() {
  const offers = useUndo((state) => state.offers);
  return (
    <div
      role="status"
      // Below the bar at the top: everywhere else it would lie over what is typed or clicked next.
      className="-translate-x-1/2 fixed top-12 left-1/2 z-40 flex w-[420px] max-w-[calc(100vw-32px)] flex-col gap-2"
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
      className="flex items-center gap-2 rounded-md border border-line bg-paper py-2 pr-2 pl-4 shadow-xl"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <p className="min-w-0 grow">
        <span className="line-clamp-2">{said}</span>
        {isError && <span className="block text-warn text-xs">{sayError(undo.error)}</span>}
      </p>
      <Button onClick={() => mutate()} disabled={isPending} title={newest ? shortcutLabel("undoDelete") : undefined}>
        <Undo2 aria-hidden size={13} />
        {t("undo.undo")}
      </Button>
      <IconButton label={t("app.close")} onClick={() => withdraw(kind)}>
        <X size={14} />
      </IconButton>
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
