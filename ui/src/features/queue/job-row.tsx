import { useQueryClient } from "@tanstack/react-query";
import { ArrowUpToLine, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "@/components/button";
import { PasswordForm } from "@/components/password-form";
import { StateGlyph } from "@/components/state-glyph";
import type { QueueJob } from "@/ipc/bindings";
import { sayError, unwrap } from "@/ipc/client";
import { useIpc } from "@/ipc/provider";
import { keys } from "@/ipc/queries";
import { stateShape } from "@/lib/document-state";
import { explained } from "@/lib/explained";
import { numberOf } from "@/lib/format";
import { perSecond, type Rate, secondsLeft } from "@/lib/stages";
import { useView } from "@/state/view";
import { StageBar } from "./stage-bar";

interface JobRowProps {
  job: QueueJob;
  rate: Rate | undefined;
  onCancel: () => void;
  onRetry: () => void;
  /** Null for a job that is next anyway, or does not wait. */
  onFirst: (() => void) | null;
  onDismiss: () => void;
}

/** A file on its way, or why it is not: with what can be done about it. */
export function JobRow({ job, rate, onCancel, onRetry, onFirst, onDismiss }: JobRowProps) {
  const { t } = useTranslation();
  const name = job.file_name;
  const failed = stateShape(job.state) === "failed";
  const locked = job.state === "needs_password";
  const running = !failed && job.state !== "queued";
  return (
    <li className="border-line border-b px-4 py-2 last:border-b-0" data-testid="queue-job" data-state={job.state}>
      <div className="flex items-center gap-2">
        <StateGlyph state={job.state} />
        <span className="grow truncate" title={job.uri}>
          {name}
        </span>
        {running && job.total > 0 && (
          <span className="shrink-0 text-2xs text-muted tabular-nums">
            {t("queue.pagesDone", { done: job.done, total: job.total })}
          </span>
        )}
        {failed && !locked && (
          <Button onClick={onRetry} aria-label={t("queue.retry", { name })}>
            {t("queue.retryShort")}
          </Button>
        )}
        {onFirst !== null && (
          <IconButton label={t("queue.first", { name })} onClick={onFirst} className="size-6">
            <ArrowUpToLine size={13} />
          </IconButton>
        )}
        <IconButton
          label={failed ? t("queue.dismiss", { name }) : t("queue.cancel", { name })}
          onClick={failed ? onDismiss : onCancel}
          className="-mr-1.5 size-6"
        >
          <X size={13} />
        </IconButton>
      </div>
      {!running && <p className={`pl-5 text-2xs ${failed ? "text-warn" : "text-muted"}`}>{t(`state.${job.state}`)}</p>}
      {job.message !== null && !locked && <p className="pl-5 text-xs">{explained(job.code, job.message)}</p>}
      <Locked job={job} />
      {running && (
        <div className="mt-1.5 pl-5">
          <StageBar job={job} />
          <Speed job={job} rate={rate} />
        </div>
      )}
    </li>
  );
}

/** Asks for the password of a job that needs one. Stays with the job, so that it knows of a try when it needs another. */
function Locked({ job }: { job: QueueJob }) {
  const { t } = useTranslation();
  const { commands } = useIpc();
  const client = useQueryClient();
  const asked = useView((state) => state.unlocking === job.uri);
  const [tried, setTried] = useState(false);
  if (job.state !== "needs_password") {
    return null;
  }
  const onTry = async (password: string) => {
    try {
      await unwrap(commands.unlockJob(job.job_id, password));
      // The job has left this state by the time the queue is read again, unless the password was wrong.
      await client.refetchQueries({ queryKey: keys.queue });
      setTried(true);
      return null;
    } catch (thrown) {
      return sayError(thrown);
    }
  };
  return (
    <div className="pl-5">
      <p className="text-xs">{t("password.file")}</p>
      <PasswordForm name={job.file_name} said={tried ? t("password.wrong") : null} focused={asked} onTry={onTry} />
    </div>
  );
}

/** How fast it goes, and how long it will still take. */
function Speed({ job, rate }: { job: QueueJob; rate: Rate | undefined }) {
  const { t } = useTranslation();
  const speed = perSecond(rate);
  const left = secondsLeft(rate, job);
  if (speed === null) {
    return null;
  }
  const said = [
    t(job.state === "embedding" ? "queue.passagesPerSecond" : "queue.pagesPerSecond", {
      rate: numberOf(speed, speed >= 10 ? 0 : 1),
    }),
    left === null
      ? null
      : left < 60
        ? t("queue.secondsLeft", { count: Math.max(1, Math.round(left)) })
        : t("queue.minutesLeft", { count: Math.round(left / 60) }),
  ].filter((part) => part !== null);
  return <p className="text-2xs text-muted tabular-nums">{said.join(" · ")}</p>;
}
