import { describe, expect, it } from "vitest";
import { typedDigits } from "@/components/ui/typed-digits";
import { CodeText, RegisterDirectlyInput } from "@/lib/accounts/contract";
import { FactorCode } from "@/lib/accounts/profile/contract";
import { parseSignInReturn } from "@/lib/accounts/sign-in/rules";
import { GoogleLoginInput } from "@/lib/accounts/social-sign-in/contract";
import { BindCouponInput, CouponCode } from "@/lib/coupons/contract";

const SPELLINGS = [
  "２５６７５０",
  "256750\u200b",
  "256-750",
  "256 750",
  "256\u3000750",
  "256\u2013750",
  "256ー750",
  "\ufeff256.750 ",
  "٢٥٦٧٥٠",
];

describe("a typed or pasted code", () => {
  it.each(SPELLINGS)("is the verification code 256750: %j", (text) => {
    expect(CodeText.parse(text)).toBe("256750");
  });

  it.each(SPELLINGS)("is the code of an authenticator app 256750: %j", (text) => {
    expect(FactorCode.parse(text)).toBe("256750");
  });

  it.each(SPELLINGS)("is 256750 in the field of a code: %j", (text) => {
    expect(typedDigits(text, 6)).toBe("256750");
  });

  it.each(["25675", "2567501", "25675a", "", "２５６７５", "256750\u200b1"])(
    "is not a verification code: %j",
    (text) => {
      expect(CodeText.safeParse(text).error?.issues[0]?.message).toBe("code_wrong");
    },
  );

  it.each(["abcde-fgh23", "ＡＢＣＤＥ－ＦＧＨ２３", "ABCDE\u2011FGH23\u200b", "abcde fgh23"])(
    "is a recovery code: %j",
    (text) => {
      expect(FactorCode.parse(text)).toBe("abcdefgh23");
    },
  );

  it.each(["welcome-2026", "ＷＥＬＣＯＭＥ－２０２６", "WELCOME\u20132026", "wel come\u200b-2026\ufeff"])(
    "is a coupon code: %j",
    (text) => {
      expect(CouponCode.parse(text)).toBe("WELCOME-2026");
      expect(BindCouponInput.parse({ coupon_code: text }).coupon_code).toBe("WELCOME-2026");
    },
  );

  it("keeps the long vowel of a Japanese coupon code", () => {
    expect(CouponCode.parse("サマーセール2026")).toBe("サマーセール2026");
    expect(CouponCode.parse("ｻﾏｰｾｰﾙー2026")).toBe("サマーセールー2026");
  });

  it.each(["ab34", "ab34\u200b", "ａｂ３４", " ab34 "])("is an invite code: %j", (text) => {
    const account = { user_email: "a@example.com", user_password: "a long password" };
    expect(RegisterDirectlyInput.parse({ ...account, invited_account: text }).invited_account).toBe("ab34");
    expect(GoogleLoginInput.parse({ google_token: "t", invited_account: text }).invited_account).toBe("ab34");
    expect(parseSignInReturn({ invited_account: text }, { locale: "ja", surface: "desktop" }).invite).toBe(
      "ab34",
    );
  });
});
