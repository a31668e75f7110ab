import { useMutation } from "@tanstack/react-query";
import { Pause, Play, RotateCw, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "@/components/button";
import { Notice } from "@/components/notice";
import type { QueueJob } from "@/ipc/bindings";
import { sayError, unwrap } from "@/ipc/client";
import { useIpc } from "@/ipc/provider";
import { useQueue } from "@/ipc/queries";
import { stateShape } from "@/lib/document-state";
import { useView } from "@/state/view";
import { JobRow } from "./job-row";
import { useRates } from "./use-rates";

const noJobs: readonly QueueJob[] = [];

/** The queue, for as long as it is asked for. */
export function QueueDrawer() {
  const open = useView((state) => state.queueOpen);
  return open ? <OpenDrawer /> : null;
}

/** What is being read, what waits, and what failed with its cause. */
function OpenDrawer() {
  const { t } = useTranslation();
  const { commands } = useIpc();
  const setView = useView((state) => state.set);
  const queue = useQueue();
  const act = useMutation({ mutationFn: (run: () => Promise<unknown>) => run() });
  const jobs = queue.data?.jobs ?? noJobs;
  const rates = useRates(jobs, queue.dataUpdatedAt);
  const failed = jobs.filter((job) => stateShape(job.state) === "failed");
  // A file that needs a password would only fail again.
  const retryable = failed.filter((job) => job.state !== "needs_password");
  const live = jobs.filter((job) => stateShape(job.state) !== "failed");
  const waiting = live.filter((job) => job.state === "queued");
  const paused = queue.data?.paused ?? false;
  const added = queue.data?.finished ?? 0;
  const summary = [
    paused ? t("queue.paused") : null,
    live.length > 0 ? t("queue.working", { count: queue.data?.active ?? live.length }) : null,
    added > 0 ? t("queue.added", { count: added }) : null,
    failed.length > 0 ? t("queue.failed", { count: failed.length }) : null,
  ].filter((part) => part !== null);

  return (
    <section
      aria-label={t("queue.title")}
      data-testid="queue-drawer"
      className="absolute top-1 right-2 z-30 flex max-h-[min(560px,calc(100%-16px))] w-[400px] max-w-[calc(100%-16px)] flex-col rounded-lg border border-line bg-paper shadow-xl"
    >
      <header className="flex items-center gap-2 border-line border-b py-2 pr-2 pl-4">
        <h2 className="font-semibold">{t("queue.title")}</h2>
        <p className="grow truncate text-muted text-xs" role="status" data-testid="queue-summary">
          {summary.join(" · ")}
        </p>
        {live.length > 0 && (
          <Button onClick={() => act.mutate(() => unwrap(commands.pauseQueue(!paused)))}>
            {paused ? <Play aria-hidden size={12} /> : <Pause aria-hidden size={12} />}
            {paused ? t("queue.resume") : t("queue.pause")}
          </Button>
        )}
        <IconButton label={t("app.close")} onClick={() => setView({ queueOpen: false })}>
          <X size={15} />
        </IconButton>
      </header>
      {queue.isError && (
        <div className="p-3">
          <Notice title={t("queue.cannotRead")} message={sayError(queue.error)} onRetry={() => void queue.refetch()} />
        </div>
      )}
      {act.isError && <p className="px-4 py-2 text-warn text-xs">{sayError(act.error)}</p>}
      {jobs.length === 0 && <p className="px-4 py-5 text-muted">{t("queue.emptyBody")}</p>}
      <ul className="scroller min-h-0 overflow-y-auto">
        {[...failed, ...live].map((job) => (
          <JobRow
            key={job.job_id}
            job={job}
            rate={rates.get(job.job_id)}
            onCancel={() => act.mutate(() => unwrap(commands.cancelJob(job.job_id)))}
            onRetry={() => act.mutate(() => unwrap(commands.retryJob(job.job_id)))}
            onFirst={
              waiting.indexOf(job) > 0 ? () => act.mutate(() => unwrap(commands.moveJobToFront(job.job_id))) : null
            }
            onDismiss={() => act.mutate(() => unwrap(commands.dismissJob(job.job_id)))}
          />
        ))}
      </ul>
      {retryable.length > 1 && (
        <footer className="border-line border-t px-4 py-2">
          <Button
            onClick={() => act.mutate(() => Promise.all(retryable.map((job) => unwrap(commands.retryJob(job.job_id)))))}
          >
            <RotateCw aria-hidden size={12} />
            {t("queue.retryAll")}
          </Button>
        </footer>
      )}
    </section>
  );
}
