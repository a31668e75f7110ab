import type { Citation } from "@/ipc/bindings";
import { type Ipc, unwrap } from "@/ipc/client";
import type { Picture, PictureOf } from "@/lib/export-conversation";
import { cropAround, renderWidth } from "@/lib/geometry";
import { placeOnPage } from "@/lib/parts";
import { type Quotable, referencesOf } from "@/lib/references";

/** Pixels across a picture: sharp on paper at the width of a text column, and still small. */
const pictureWidth = 900;
/** Pages drawn at a time. */
const atOnce = 2;

/**
 * The places of an export's references on their pages, with the quoted words boxed. A reference without such a place, or
 * whose page can no longer be drawn, has none.
 */
export async function picturesOf(
  { commands }: Pick<Ipc, "commands">,
  answers: readonly Quotable[],
): Promise<PictureOf> {
  const wanted = answers.flatMap((answer, at) => {
    const named = new Set(referencesOf(answer, () => "").map(({ index }) => index));
    return answer.citations.filter(({ index }) => named.has(index)).map((citation) => ({ at, citation }));
  });
  const pictures = new Map<string, Picture>();
  const waiting = [...wanted];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const picture = await pictureOf(commands, next.citation).catch(() => null);
      if (picture !== null) {
        pictures.set(`${next.at} ${next.citation.index}`, picture);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return (answer, index) => pictures.get(`${answer} ${index}`) ?? null;
}

async function pictureOf(commands: Ipc["commands"], citation: Citation): Promise<Picture | null> {
  const { collection, document_id, sha256 } = citation;
  const place = placeOnPage(citation);
  if (place === null) {
    return null;
  }
  const view = await unwrap(commands.documentView(collection, document_id, sha256));
  const size = view.pages.find((page) => page.number === place.page);
  const crop = size === undefined ? null : cropAround(place.boxes, size);
  if (size === undefined || crop === null) {
    return null;
  }
  const { base64, width, height } = await unwrap(
    commands.pagePicture({
      collection,
      document_id,
      sha256,
      width_px: renderWidth((pictureWidth * size.width) / (crop.right - crop.left), 1),
      crop: { page: place.page, ...crop },
      highlights: [...place.boxes],
    }),
  );
  return { base64, width, height };
}
