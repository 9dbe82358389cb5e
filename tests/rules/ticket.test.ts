import { describe, expect, it } from "vitest";
import { type TicketFacts, ticketState } from "@/lib/delivery/rules-ticket";
import { perforation, ticketUnit, ticketUnits } from "@/lib/platform/ticket";

const START = Date.parse("2026-11-23T19:38:00Z");
const DAY_MS = 86_400_000;
const at = (days: number) => new Date(START + days * DAY_MS);
const running = (durationDays: number, days: number) =>
  perforation({ durationDays, start: at(0), end: at(durationDays) }, at(days));

describe("the perforation of a ticket", () => {
  it.each([
    [1, 24, "hour"],
    [3, 3, "day"],
    [7, 7, "day"],
    [30, 30, "day"],
    [42, 6, "week"],
    [90, 3, "month"],
    [365, 12, "month"],
    [36_600, 36, "month"],
  ] as const)("of a pass of %i days has %i holes, one a%s", (days, units, unit) => {
    expect([ticketUnits(days), ticketUnit(days)]).toEqual([units, unit]);
  });

  it("of a lifetime pass is one cut that is never punched", () => {
    expect(perforation({ durationDays: null, end: null }, at(900))).toEqual({
      units: null,
      spent: 0,
      present: null,
    });
  });

  it("has no unit punched before the pass starts", () => {
    expect(perforation({ durationDays: 7, end: null }, at(0))).toEqual({ units: 7, spent: 0, present: null });
  });

  it("differs between a pass that has just started and an untouched one", () => {
    const started = running(7, 0);
    expect(started).toEqual({ units: 7, spent: 0, present: 0 });
    expect(started).not.toEqual(perforation({ durationDays: 7, end: null }, at(0)));
  });

  it("punches a unit at the moment in which it has passed", () => {
    expect(running(7, 2.999_99).spent).toBe(2);
    expect(running(7, 3)).toEqual({ units: 7, spent: 3, present: 3 });
    expect(running(1, 1.5 / 24)).toEqual({ units: 24, spent: 1, present: 1 });
    expect(running(365, 364.99)).toEqual({ units: 12, spent: 11, present: 11 });
  });

  it("is fully punched after the end, even by a clock that is far ahead", () => {
    for (const days of [7, 7.1, 9000])
      expect(running(7, days)).toEqual({ units: 7, spent: 7, present: null });
  });

  it("punches nothing for a clock that is behind the start", () => {
    expect(running(7, -1)).toEqual({ units: 7, spent: 0, present: 0 });
  });

  it("finds the start from the end", () => {
    expect(perforation({ durationDays: 7, end: at(7) }, at(4.5))).toEqual(running(7, 4.5));
  });
});

describe("the state of a ticket", () => {
  const untouched: TicketFacts = {
    delivered: true,
    seen: false,
    revealedAt: null,
    activatedAt: null,
    endsAt: null,
    refunded: false,
    gift: false,
  };
  const begun = { seen: true, revealedAt: at(0).toISOString(), endsAt: at(7).toISOString() };

  it.each([
    ["whole", {}],
    ["mailed", { seen: true }],
    ["torn", begun],
    ["torn", { seen: true, revealedAt: at(0).toISOString() }], // lifetime
    ["torn", { seen: true, activatedAt: at(0).toISOString(), endsAt: at(7).toISOString() }],
    ["ended", { ...begun, endsAt: at(1).toISOString() }],
    ["refunded", { refunded: true }],
    ["refunded", { ...begun, refunded: true }],
    ["waiting", { delivered: false }],
    ["gift", { gift: true }],
    ["gift", { gift: true, delivered: false }],
    ["torn", { ...begun, gift: true }],
  ] as const)("is %s with %j", (state, facts) => {
    expect(ticketState({ ...untouched, ...facts }, at(1))).toBe(state);
  });
});
