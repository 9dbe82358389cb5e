import { describe, expect, it } from "vitest";
import type { TimelineEntry } from "@/lib/orders/console/contract-detail";
import { burstTimes, foldBursts, namesOfBurst } from "@/lib/orders/console/rules-timeline";
import { mentionNames, splitMentions } from "@/lib/staff/notes/rules";

const entry = (second: number, kind: TimelineEntry["kind"], event: string): TimelineEntry => ({
  at: new Date(Date.UTC(2026, 10, 28, 20, 9, second)).toISOString(),
  kind,
  event,
  detail: null,
  actor: null,
  device: null,
});

describe("the timeline of an order", () => {
  it("folds what happened within seconds and names it by its order's events", () => {
    const entries = [
      entry(14, "order", "created"),
      entry(14, "payment", "opened"),
      entry(15, "order", "payment_verified"),
      entry(16, "key", "assigned"),
      entry(40, "email", "sent"),
    ];
    const [first, second] = foldBursts(entries);
    expect(first!.entries).toHaveLength(4);
    expect(namesOfBurst(first!).map(({ event }) => event)).toEqual(["created", "payment_verified"]);
    expect(second!.entries).toHaveLength(1);
  });

  it("shows two entries, and what a person wrote, as they are", () => {
    const note = entry(15, "note", "written");
    const bursts = foldBursts([
      entry(13, "order", "created"),
      entry(14, "payment", "opened"),
      note,
      entry(16, "key", "assigned"),
    ]);
    expect(bursts.map(({ entries }) => entries.length)).toEqual([1, 1, 1, 1]);
  });

  it("writes the end of a burst without what it shares with the beginning", () => {
    expect(burstTimes("20:09:14", "20:09:16")).toBe("20:09:14–16");
    expect(burstTimes("20:09:58", "20:10:03")).toBe("20:09:58–20:10:03");
    expect(burstTimes("20:09:14", "20:09:14")).toBe("20:09:14");
  });
});

describe("a note", () => {
  const people = mentionNames([
    { user_id: "usr_1", email: "Mara@example.com" },
    { user_id: "usr_2", email: "jo.lee@example.com" },
    { user_id: "usr_3", email: "jo.lee@other.example" },
  ]);
  const named = (text: string) => splitMentions(text, people).flatMap(({ person }) => person?.user_id ?? []);

  it("names colleagues by the beginning of their address, also at the end of a sentence and after Chinese words", () => {
    expect(named("@mara please look.")).toEqual(["usr_1"]);
    expect(named("Ask @Mara.")).toEqual(["usr_1"]);
    expect(named("请看（@mara）")).toEqual(["usr_1"]);
    expect(named("@mara@example.com and @mara")).toEqual(["usr_1", "usr_1"]);
  });

  it("names nobody by an address of a customer, a part of a name, or a name that two share", () => {
    expect(named("write to buyer@mara and x@example.com")).toEqual([]);
    expect(named("@mar @maraa @nobody")).toEqual([]);
    expect(named("@jo.lee")).toEqual([]);
    expect(named("@jo.lee@other.example")).toEqual(["usr_3"]);
  });

  it("keeps every character of its text", () => {
    const text = "A @mara, B @nobody.\nC @jo.lee@example.com!";
    expect(
      splitMentions(text, people)
        .map((part) => part.text)
        .join(""),
    ).toBe(text);
  });
});
