import { describe, expect, it } from "vitest";
import { directionOf, embeddingLevels, inVisualOrder } from "@/lib/platform/text-order";

const graphemesOf = (text: string) =>
  Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);

/** The letters of a line as they stand on paper, from left to right. */
function drawn(text: string, direction = directionOf(text)): string {
  const graphemes = graphemesOf(text);
  const levels = embeddingLevels(graphemes, direction);
  const parts = graphemes.map((letter, index) => ({ letter, level: levels[index] ?? 0 }));
  return inVisualOrder(parts)
    .map(({ letter }) => letter)
    .join("");
}

describe("a line with letters from right to left", () => {
  it.each([
    ["Passlane 12.50", "Passlane 12.50"],
    ["אבג דהו", "והד גבא"],
    ["Order for אבג (PL-2611-0042)", "Order for גבא (PL-2611-0042)"],
    ["Order for אבג דהו", "Order for והד גבא"],
    ["אבג 12.50 דהו", "והד 12.50 גבא"],
    ["אבג $1,200 דהו", "והד $1,200 גבא"],
    ["אבג Passlane Ltd דהו", "והד Passlane Ltd גבא"],
    ["Nr. 7, אבג 5", "Nr. 7, 5 גבא"],
    ["李 אבג 萱", "李 גבא 萱"],
    ["Invoice ١٢٣ אבג", "Invoice גבא ١٢٣"],
    ["ߒߞߏ 12", "12 ߏߞߒ"],
  ])("is drawn in reading order: %s", (text, order) => {
    expect(drawn(text)).toBe(order);
  });

  it("keeps both brackets of a pair around their content", () => {
    const graphemes = graphemesOf("אבג (Passlane) 12.50 דהו");
    const levels = embeddingLevels(graphemes, "rtl");
    expect([levels[4], levels[13]]).toEqual([1, 1]);
    // The brackets are mirrored when they are drawn.
    expect(drawn("אבג (Passlane) 12.50 דהו")).toBe("והד 12.50 )Passlane( גבא");
  });

  it("is ordered quickly even with thousands of brackets and letters", () => {
    const text = "(א".repeat(4000);
    expect(embeddingLevels(graphemesOf(text), "ltr")).toHaveLength(8000);
  });

  it("takes its direction from its first letter", () => {
    expect(directionOf("12 אבג Passlane")).toBe("rtl");
    expect(directionOf("Passlane אבג")).toBe("ltr");
    expect(directionOf("12 $")).toBe("ltr");
  });
});
