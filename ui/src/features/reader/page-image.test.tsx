import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { PageImage } from "./page-image";

it("a page that leaves the window before its image has come no longer waits for it", () => {
  const { unmount } = render(<PageImage address="page://localhost/c/d/s/7?w=640" label="Page 7" />);
  const image = screen.getByRole("img") as HTMLImageElement;
  Object.defineProperty(image, "complete", { value: false });
  unmount();
  expect(image.getAttribute("src")).toBeNull();
});

it("a page whose image is there keeps it", () => {
  const { unmount } = render(<PageImage address="page://localhost/c/d/s/7?w=640" label="Page 7" />);
  const image = screen.getByRole("img") as HTMLImageElement;
  Object.defineProperty(image, "complete", { value: true });
  unmount();
  expect(image.getAttribute("src")).toBe("page://localhost/c/d/s/7?w=640");
});
