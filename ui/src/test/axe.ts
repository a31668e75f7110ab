import axe from "axe-core";

/** What axe finds that is serious. Colours need layout, which jsdom does not have; contrast.test.ts computes them. */
export async function seriousViolations(root: HTMLElement = document.body): Promise<string[]> {
  // The guards around an open menu are hidden and take the focus in order to hand it on at once.
  const context = { include: root, exclude: "[data-base-ui-focus-guard]" };
  const { violations } = await axe.run(context, {
    rules: { "color-contrast": { enabled: false }, "label-content-name-mismatch": { enabled: true } },
  });
  return violations
    .filter((violation) => violation.impact === "serious" || violation.impact === "critical")
    .map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.html).join(" ")}`);
}
