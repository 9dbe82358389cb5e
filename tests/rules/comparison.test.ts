import { describe, expect, it } from "vitest";
import { comparePath, parseComparedPlans } from "@/lib/catalog/rules";

describe("the address of a comparison", () => {
  it("names up to four plans, each once, in order", () => {
    expect(comparePath([5003, 5001])).toBe("/compare?plans=5003,5001");
    expect(comparePath([])).toBe("/compare");
    expect(parseComparedPlans("5003,5001,5003,5002,5004,5005")).toEqual([5003, 5001, 5002, 5004]);
  });

  it.each([undefined, "", ",", "x", "0", "-1", "1.5", "1e3", "05", "9999999999", "1;2", "' or 1=1"])(
    "ignores %s",
    (plans) => expect(parseComparedPlans(plans)).toEqual([]),
  );

  it("leads back to the same plans", () => {
    const plans = new URL(comparePath([7, 8]), "http://shop").searchParams.get("plans")!;
    expect(parseComparedPlans(plans)).toEqual([7, 8]);
  });
});
