import { useEffect, useState } from "react";
import type { QueueJob } from "@/ipc/bindings";
import { nextRate, type Rate } from "@/lib/stages";

/** How fast each job goes, by its id; measured while the drawer is open. */
export function useRates(jobs: readonly QueueJob[], updatedAt: number): ReadonlyMap<string, Rate> {
  const [rates, setRates] = useState<ReadonlyMap<string, Rate>>(new Map());
  useEffect(() => {
    if (updatedAt > 0) {
      setRates((known) => new Map(jobs.map((job) => [job.job_id, nextRate(known.get(job.job_id), job, updatedAt)])));
    }
  }, [jobs, updatedAt]);
  return rates;
}
