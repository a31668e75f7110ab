import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { AddPreview } from "@/ipc/bindings";
import { sizeOf } from "@/lib/bytes";
import { numberOf } from "@/lib/format";

/** Whether the library's disk has no room for what would be added. */
export function lacksRoom({ needed_bytes: needed, free_bytes: free }: AddPreview): boolean {
  return free !== null && needed > free;
}

/** Whether there is more to say of files than that they will be read. */
export function isRemarkable(preview: AddPreview): boolean {
  return preview.unsupported + preview.already_here + preview.unreachable > 0 || lacksRoom(preview);
}

/** What would become of files: how large they are, which are left out, and whether there is room. */
export function AddSummary({ preview }: { preview: AddPreview }) {
  const { t } = useTranslation();
  const { unsupported, already_here: here, unreachable } = preview;
  const kinds = preview.unsupported_kinds.map((kind) => `.${kind}`).join(", ");
  const parts = [
    unsupported > 0 ? t("library.addUnsupported", { count: unsupported, number: numberOf(unsupported), kinds }) : null,
    here > 0 ? t("library.addHere", { count: here, number: numberOf(here) }) : null,
    unreachable > 0 ? t("library.addUnreachable", { count: unreachable, number: numberOf(unreachable) }) : null,
  ].filter((part) => part !== null);
  const lacking = lacksRoom(preview);
  return (
    <div data-testid="add-summary">
      {parts.length > 0 && <p>{parts.join(" · ")}</p>}
      {preview.free_bytes !== null && preview.files > 0 && (
        <p className={lacking ? "font-medium text-warn" : "text-muted"}>
          {lacking && <TriangleAlert aria-hidden size={14} className="mr-1 inline align-[-2px]" />}
          {t(lacking ? "library.addNoRoom" : "library.addRoom", {
            needed: sizeOf(preview.needed_bytes),
            free: sizeOf(preview.free_bytes),
          })}
        </p>
      )}
    </div>
  );
}
