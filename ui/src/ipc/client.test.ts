import { describe, expect, it } from "vitest";
import { ApiFailure, pageAddress, toApiError, unwrap } from "./client";

const request = { collection: "Q3 filings/2024 é", documentId: "doc-1", sha256: "ab12", page: 7, width: 1024 };

describe("pageAddress", () => {
  it("encodes the collection and names the page and the width", () => {
    expect(pageAddress(request, "page://localhost")).toBe(
      "page://localhost/Q3%20filings%2F2024%20%C3%A9/doc-1/ab12/7?w=1024",
    );
  });

  it("names the part of the page in points", () => {
    const crop = { left: 10, top: 20.25, right: 300, bottom: 95.5 };
    expect(pageAddress({ ...request, crop }, "page://localhost")).toContain("&crop=10.0,20.3,300.0,95.5");
  });
});

describe("unwrap", () => {
  it("returns the data, or throws what the engine said", async () => {
    expect(await unwrap(Promise.resolve({ status: "ok", data: 3 }))).toBe(3);
    const error = { code: "library_in_use", message: "Open elsewhere.", retryable: true };
    const thrown = await unwrap(Promise.resolve({ status: "error", error })).catch((reason: unknown) => reason);
    expect(thrown).toBeInstanceOf(ApiFailure);
    expect(toApiError(thrown)).toEqual(error);
  });
});
