import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { StateGlyph } from "@/components/state-glyph";
import { useQueue } from "@/ipc/queries";
import { stateShape } from "@/lib/document-state";
import { useView } from "@/state/view";
import { StageBar } from "./stage-bar";

/** As many files as are seen at a glance; the queue shows the rest. */
const most = 3;

/** What is being read at the moment, for a window that waits for its first document. */
export function ReadingNow() {
  const { t } = useTranslation();
  const jobs = useQueue().data?.jobs ?? [];
  const set = useView((state) => state.set);
  const live = jobs.filter((job) => stateShape(job.state) === "working");
  const failed = jobs.length - live.length;
  if (jobs.length === 0) {
    return null;
  }
  return (
    <section
      aria-label={t("ask.readingNow")}
      className="mt-4 rounded-lg border border-line p-4"
      data-testid="reading-now"
    >
      <ul className="space-y-3">
        {live.slice(0, most).map((job) => (
          <li key={job.job_id}>
            <p className="mb-1 flex items-center gap-2">
              <StateGlyph state={job.state} />
              <span className="min-w-0 truncate">{job.file_name}</span>
            </p>
            {job.state !== "queued" && <StageBar job={job} />}
          </li>
        ))}
      </ul>
      {(live.length > most || failed > 0) && (
        <p className="mt-3 flex items-center gap-2 text-muted text-xs">
          {[
            live.length > most ? t("queue.working", { count: live.length }) : null,
            failed > 0 ? t("queue.failed", { count: failed }) : null,
          ]
            .filter((part) => part !== null)
            .join(" · ")}
          <Button kind="quiet" onClick={() => set({ queueOpen: true })}>
            {t("library.showQueue")}
          </Button>
        </p>
      )}
    </section>
  );
}
