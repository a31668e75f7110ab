import { describe, expect, it } from "vitest";
import { claimRange } from "./claim";

/** The claim of the chip with number `index` in an answer written as HTML. */
function claimOf(html: string, index: number): string | undefined {
  document.body.innerHTML = html;
  const chips = [...document.querySelectorAll("b")];
  const chip = chips.find((candidate) => candidate.textContent === String(index));
  return chip && claimRange(chip, (element) => element.tagName === "B")?.toString();
}

describe("claimRange", () => {
  it("is the sentence before the chip, whether the chip stands before or after the full stop", () => {
    expect(claimOf("<p>Revenue rose. Costs fell.<b>1</b></p>", 1)).toBe("Costs fell.");
    expect(claimOf("<p>Revenue rose<b>1</b>. Costs fell<b>2</b>.</p>", 2)).toBe("Costs fell");
    expect(claimOf("<p>Revenue rose.<b>1</b> Costs fell.<b>2</b></p>", 1)).toBe("Revenue rose.");
  });

  it("is the whole quotation, however many sentences it has", () => {
    expect(claimOf("<li>“It rose. Then it fell.” <b>1</b></li>", 1)).toBe("“It rose. Then it fell.”");
  });

  it("goes on through emphasis and stays in its own list item", () => {
    expect(claimOf("<p>First. Revenue <em>rose</em> by 4.2 % in the year.<b>1</b></p>", 1)).toBe(
      "Revenue rose by 4.2 % in the year.",
    );
    expect(claimOf("<ul><li>One.<b>1</b></li><li>Two.<b>2</b></li></ul>", 2)).toBe("Two.");
  });

  it("is the same for chips that follow one another", () => {
    expect(claimOf("<p>One. Two.<b>1</b><b>2</b></p>", 2)).toBe("Two.");
  });

  it("is nothing where no words come before the chip", () => {
    expect(claimOf("<p><b>1</b> Later.</p>", 1)).toBeUndefined();
    expect(claimOf("<div><b>1</b></div>", 1)).toBeUndefined();
  });
});
