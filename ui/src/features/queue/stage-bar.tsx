import { useTranslation } from "react-i18next";
import type { QueueJob } from "@/ipc/bindings";
import { shareOf, stageOf, stages } from "@/lib/stages";

/** The steps of a job side by side, each filled as far as it has come. */
export function StageBar({ job }: { job: QueueJob }) {
  const { t } = useTranslation();
  const current = stageOf(job.state);
  const known = job.total > 0;
  return (
    <div
      role="progressbar"
      aria-label={t("queue.progress", { name: job.file_name })}
      aria-valuetext={current === null ? undefined : t(`queue.stages.${current}`)}
      aria-valuemin={0}
      aria-valuemax={known ? job.total : undefined}
      aria-valuenow={known ? job.done : undefined}
      className="flex gap-1"
    >
      {stages.map((stage) => (
        <span key={stage} className="min-w-0 grow basis-0" data-stage={stage} data-current={stage === current}>
          <span className="block h-[3px] overflow-hidden rounded-full bg-line">
            <span
              className="block h-full rounded-full bg-accent transition-[width] duration-200"
              style={{ width: `${shareOf(stage, current, job) * 100}%` }}
            />
          </span>
          <span
            aria-hidden
            className={`block truncate pt-0.5 text-2xs ${stage === current ? "text-ink" : "text-muted"}`}
          >
            {t(`queue.stages.${stage}`)}
          </span>
        </span>
      ))}
    </div>
  );
}
