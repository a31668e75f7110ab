import { ListTodo, TriangleAlert } from "lucide-react";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { useQueue } from "@/ipc/queries";
import { useAction } from "@/lib/actions";
import { stateShape } from "@/lib/document-state";
import { useView } from "@/state/view";

/** The queue in a few characters; opens the drawer. */
export function QueueStrip() {
  const { t } = useTranslation();
  const queue = useQueue().data;
  const open = useView((state) => state.queueOpen);
  const setView = useView((state) => state.set);
  useAction(
    "toggleQueue",
    useCallback(() => setView({ queueOpen: !useView.getState().queueOpen }), [setView]),
  );
  const failed = queue?.jobs.filter((job) => stateShape(job.state) === "failed").length ?? 0;
  const done = queue?.finished ?? 0;
  const total = done + (queue?.active ?? 0);
  const busy = (queue?.active ?? 0) > 0;
  return (
    <button
      type="button"
      aria-expanded={open}
      aria-label={
        busy
          ? t("queue.stripLabel", { done, total, count: failed })
          : failed > 0
            ? t("queue.failedLabel", { count: failed })
            : t("queue.idleLabel")
      }
      onClick={() => setView({ queueOpen: !open })}
      data-testid="queue"
      data-active={queue?.active ?? 0}
      className="flex h-7 items-center gap-1.5 rounded px-2 text-muted text-xs tabular-nums hover:bg-hover hover:text-ink aria-expanded:bg-hover"
    >
      <ListTodo aria-hidden size={14} />
      {busy ? t("queue.strip", { done, total }) : t("queue.idle")}{" "}
      {failed > 0 && (
        <span className="flex items-center gap-0.5 text-warn">
          <TriangleAlert aria-hidden size={12} />
          {failed}
        </span>
      )}
    </button>
  );
}
