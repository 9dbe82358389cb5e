import { describe, expect, it } from "vitest";
import { type RegistrationForm, validateRegistration } from "@/lib/accounts/registration/rules";
import { parseSignInReturn } from "@/lib/accounts/sign-in/rules";

const place = { locale: "ja", surface: "mobile" } as const;

describe("the way back from the login", () => {
  it("leads to the profile, and with something to add to the cart", () => {
    expect(parseSignInReturn({}, place)).toEqual({ target: "/ja/mobile/profile", add: null, query: "" });
    expect(parseSignInReturn({ add: "12-34" }, place)).toEqual({
      target: "/ja/mobile/cart",
      add: { product_id: 12, vip_id: 34 },
      query: "?add=12-34",
    });
  });

  it("keeps the redirect and what to add for the other form", () => {
    const wish = parseSignInReturn(
      { redirect: "/product/lumen?x=1&y=2", add: ["1-2", "3-4"], invited_account: "abc" },
      place,
    );
    expect(wish.invite).toBe("abc");
    expect(wish.target).toBe("/product/lumen?x=1&y=2");
    expect(Object.fromEntries(new URLSearchParams(wish.query))).toEqual({
      redirect: "/product/lumen?x=1&y=2",
      add: "1-2",
      invited_account: "abc",
    });
  });

  it("leaves out what leads elsewhere or is no product and plan", () => {
    for (const redirect of ["//evil.example", "https://evil.example/", "/login", "/nowhere"])
      expect(parseSignInReturn({ redirect }, place)).toMatchObject({
        target: "/ja/mobile/profile",
        query: "",
      });
    for (const add of ["12", "12-", "a-b", "-1-2", "12-34-56", "1234567890-1"])
      expect(parseSignInReturn({ add }, place)).toMatchObject({ add: null, query: "" });
  });
});

describe("a registration form", () => {
  const right: RegistrationForm = {
    username: "Mei",
    user_email: "mei@example.com",
    user_password: "long enough",
    repeat: "long enough",
    age_group: "adult",
    accept_privacy: true,
  };

  it("may be right", () => {
    expect(validateRegistration(right)).toEqual({});
    expect(validateRegistration({ ...right, age_group: "minor_with_guardian" })).toEqual({});
  });

  it("takes joined emoji and names, but nothing that cannot be seen", () => {
    const faultOf = (username: string) => validateRegistration({ ...right, username }).username;
    for (const name of ["👩\u200d💻 Mei", "❤\ufe0f\u200d🔥", "می\u200cخواهم", "O'Neil-Łódź 明"])
      expect(faultOf(name)).toBeUndefined();
    for (const name of ["\u200d", "a\u200d\u200d", "<b>", "a\u202eb", "a\u200bb", "a\u0007"])
      expect(faultOf(name)).toBe("username_invalid");
  });

  it("names every fault at its field", () => {
    const empty = { username: " ", user_email: "mei", user_password: "short", repeat: "", age_group: null };
    expect(validateRegistration({ ...empty, accept_privacy: false })).toEqual({
      username: "username_missing",
      user_email: "email_invalid",
      user_password: "password_short",
      age_group: "age_missing",
      accept_privacy: "privacy_required",
    });
    expect(validateRegistration({ ...right, repeat: "other", age_group: "under_13" })).toEqual({
      repeat: "passwords_differ",
      age_group: "under_age",
    });
  });
});
