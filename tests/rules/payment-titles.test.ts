import { expect, it } from "vitest";
import zh from "@/messages/zh.json";

it("the payment pages are called in Chinese what the specification says (spec §2)", () => {
  expect(zh.payments.title).toMatchObject({ success: "支付成功", cancel: "支付取消", error: "支付错误" });
});
