import { describe, expect, it } from "vitest";
import {
  type RegistrationForm,
  usernameFromEmail,
  validateRegistration,
} from "@/lib/accounts/registration/rules";
import { USERNAME_PATTERN } from "@/lib/accounts/rules";
import { parseSignInReturn } from "@/lib/accounts/sign-in/rules";

const page = { locale: "ja", surface: "mobile" } as const;

describe("parseSignInReturn", () => {
  it("targets the profile, or the cart when a plan is to be added", () => {
    expect(parseSignInReturn({}, page)).toEqual({ target: "/ja/mobile/profile", add: null, query: "" });
    expect(parseSignInReturn({ add: "12-34" }, page)).toEqual({
      target: "/ja/mobile/cart",
      add: { product_id: 12, vip_id: 34 },
      query: "?add=12-34",
    });
  });

  it("keeps redirect, plan and invitation in the query", () => {
    const signIn = parseSignInReturn(
      { redirect: "/product/lumen?x=1&y=2", add: ["1-2", "3-4"], invited_account: "abc" },
      page,
    );
    expect(signIn.invite).toBe("abc");
    expect(signIn.target).toBe("/product/lumen?x=1&y=2");
    expect(Object.fromEntries(new URLSearchParams(signIn.query))).toEqual({
      redirect: "/product/lumen?x=1&y=2",
      add: "1-2",
      invited_account: "abc",
    });
  });

  it("finds the plan in the cart's address", () => {
    expect(parseSignInReturn({ redirect: "/ja/mobile/cart?add=12-34" }, page)).toMatchObject({
      target: "/ja/mobile/cart?add=12-34",
      add: { product_id: 12, vip_id: 34 },
    });
  });

  it("ignores unsafe redirects and invalid plans", () => {
    for (const redirect of ["//evil.example", "https://evil.example/", "/login", "/nowhere"])
      expect(parseSignInReturn({ redirect }, page)).toMatchObject({
        target: "/ja/mobile/profile",
        query: "",
      });
    for (const add of ["12", "12-", "a-b", "-1-2", "12-34-56", "1234567890-1"])
      expect(parseSignInReturn({ add }, page)).toMatchObject({ add: null, query: "" });
  });
});

describe("usernameFromEmail", () => {
  it("takes the part before the @ as a valid username", () => {
    expect(usernameFromEmail("mei.lin@example.com")).toBe("mei.lin");
    expect(usernameFromEmail("a<b>\u200bc@example.com")).toBe("a b c");
    expect(usernameFromEmail("")).toBe("");
    expect(usernameFromEmail(`${"x".repeat(64)}@example.com`)).toHaveLength(40);
  });
});

describe("validateRegistration", () => {
  const complete: RegistrationForm = {
    user_email: "mei@example.com",
    user_password: "long enough",
    age_group: "adult",
    accept_privacy: true,
  };

  it("accepts a complete form", () => {
    expect(validateRegistration(complete)).toEqual({});
    expect(validateRegistration({ ...complete, age_group: "minor_with_guardian" })).toEqual({});
  });

  it("accepts joined emoji in usernames and rejects invisible characters", () => {
    for (const name of ["👩\u200d💻 Mei", "❤\ufe0f\u200d🔥", "می\u200cخواهم", "O'Neil-Łódź 明"])
      expect(name).toMatch(USERNAME_PATTERN);
    for (const name of ["\u200d", "a\u200d\u200d", "<b>", "a\u202eb", "a\u200bb", "a\u0007"])
      expect(name).not.toMatch(USERNAME_PATTERN);
  });

  it("names the error of each field", () => {
    const empty = { user_email: "mei", user_password: "short", age_group: null };
    expect(validateRegistration({ ...empty, accept_privacy: false })).toEqual({
      user_email: "email_invalid",
      user_password: "password_short",
      age_group: "age_missing",
      accept_privacy: "privacy_required",
    });
    expect(validateRegistration({ ...complete, age_group: "under_13" })).toEqual({
      age_group: "under_age",
    });
  });
});
