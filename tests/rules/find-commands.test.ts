import { expect, it } from "vitest";
import { commandsFor, isNamed, namedScreens, splitCommand } from "@/components/staff/find/commands";
import { CONSOLE_SCREENS } from "@/components/staff/screens";
import { LOCALES } from "@/lib/platform/i18n/locales";
import en from "@/messages/console/en.json";
import ja from "@/messages/console/ja.json";
import zh from "@/messages/console/zh.json";

const MESSAGES = { en, zh, ja };

it("a screen is found by the beginning of its words, in Chinese and Japanese by any part", () => {
  for (const [locale, text, name] of [
    ["en", "refunds", "refunds"],
    ["en", "cat syn", "categories"],
    ["zh", "退款", "refunds"],
    ["ja", "交換", "replacements"],
  ] as const) {
    const { frame } = MESSAGES[locale].console;
    const found = namedScreens(text, CONSOLE_SCREENS, (screen) => [frame[screen.name], screen.name]);
    expect(found.map((screen) => screen.name)).toContain(name);
  }
  expect(namedScreens("0062", CONSOLE_SCREENS, ({ name }) => [name])).toEqual([]);
  expect(isNamed("", ["Orders"])).toBe(false);
});

it.each(LOCALES)("each command has a name and words, and its first word begins it (%s)", (locale) => {
  const texts = MESSAGES[locale].console.find.commands;
  for (const { name, order } of commandsFor(["admin"])) {
    const { name: title, words } = texts[name];
    const [word = ""] = words.split(/[\s,、，]+/);
    expect(isNamed(title, [title, words]), name).toBe(true);
    if (order) expect(splitCommand(`${word} 0062`, [title, words]), name).toEqual({ rest: "0062" });
  }
});

it("a command takes the order that follows its word, also without a space in Chinese", () => {
  expect(splitCommand("refund PL-2611-0062", ["refund"])).toEqual({ rest: "PL-2611-0062" });
  expect(splitCommand("退款0062", ["为订单退款", "退款"])).toEqual({ rest: "0062" });
  expect(splitCommand("refund", ["refund"])).toBeNull();
  expect(splitCommand("refunded 0062", ["refund"])).toBeNull();
});

it("a command is offered only to who may do it", () => {
  const names = (roles: readonly string[]) => commandsFor(roles).map(({ name }) => name);
  expect(names(["support"])).toContain("refund");
  expect(names(["catalogue"])).not.toContain("refund");
  expect(names(["catalogue"])).toContain("new_product");
  expect(names([])).toEqual([]);
});
