import { expect, it } from "vitest";
import { kindName, kindsAmong } from "./media-kinds";

it("the kinds of documents are counted, images as one kind, and called by their names", () => {
  const documents = ["image/png", "text/markdown", "image/tiff", null, "application/x-other", "image/jpeg"].map(
    (media_type) => ({ media_type }),
  );
  const found = kindsAmong(documents);
  expect(found).toEqual(["image/", "application/x-other", "text/markdown"]);
  expect(found.map(kindName)).toEqual(["images", "application/x-other", "Markdown"]);
});
