import { expect, it } from "vitest";
import zh from "@/messages/zh.json";

it("the payment pages have the Chinese titles of docs/product.md#24-navigation", () => {
  expect(zh.payments.title).toMatchObject({ success: "支付成功", cancel: "支付取消", error: "支付错误" });
});
