import { beforeEach, describe, expect, it } from "vitest";
import { recallPosition, rememberPosition } from "./reading-positions";

beforeEach(() => localStorage.clear());

describe("reading positions", () => {
  it("are kept for each document by itself", () => {
    rememberPosition("a", { unit: 12, share: 0.25 });
    rememberPosition("b", { unit: 3, share: 0 });
    expect(recallPosition("a")).toEqual({ unit: 12, share: 0.25 });
    expect(recallPosition("b")).toEqual({ unit: 3, share: 0 });
    expect(recallPosition("c")).toBeNull();
  });

  it("forget the documents that were not read for longest", () => {
    for (let at = 0; at < 320; at += 1) {
      rememberPosition(`d${at}`, { unit: 1, share: 0 });
    }
    expect(recallPosition("d0")).toBeNull();
    expect(recallPosition("d319")).not.toBeNull();
  });

  it("begin anew when what was stored makes no sense", () => {
    localStorage.setItem("recto.positions", '[["a","x",0],["b",0,0],["c",2,0.5],7]');
    expect(recallPosition("a")).toBeNull();
    expect(recallPosition("b")).toBeNull();
    expect(recallPosition("c")).toEqual({ unit: 2, share: 0.5 });
    localStorage.setItem("recto.positions", "{");
    expect(recallPosition("c")).toBeNull();
  });
});
