"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReadField, useForm } from "@/components/accounts/use-form";
import { Button } from "@/components/ui/button";
import { useNavigate } from "@/components/ui/link";
import { ErrorNotice } from "@/components/ui/notice";
import { TextArea, TextInput } from "@/components/ui/text-input";
import { showToast } from "@/components/ui/toast";
import { MAX_MESSAGE } from "@/lib/support/rules";

type Props =
  /** writes back in a conversation */
  | { conversationId: string }
  /** begins one; `withOrder` asks for the order's number */
  | { conversationId?: undefined; email: string; orderNumber: string | undefined; withOrder: boolean };

/** Writes to the shop's support from the account. What was typed is kept after a failed submission. */
export function MessageForm(props: Props) {
  const t = useTranslations("support.form");
  const router = useRouter();
  const navigate = useNavigate();
  const { form, errors, show, showError, problem, pending, run, post, formProps } = useForm(t("network"));

  function submit(text: ReadField) {
    const message = text("message").trim();
    if (message === "") return show({ message: t("message_missing") });
    return run("send", async () => {
      if (props.conversationId !== undefined) {
        const result = await post("/contact/reply", { conversation_id: props.conversationId, message });
        if (!result.ok) return showError(result);
        form.current?.reset();
        showToast(t("sent"), "good");
        return router.refresh();
      }
      const order_number = props.orderNumber ?? text("order_number").trim();
      const result = await post("/contact/create", { email: props.email, message, order_number });
      if (!result.ok) return showError(result);
      showToast(t("sent"), "good");
      navigate(`/messages?id=${result.data.conversation_id}`, { replace: true });
      return "leaving";
    });
  }

  return (
    <form {...formProps(submit)} className="flex max-w-text flex-col gap-5">
      {props.conversationId === undefined && props.withOrder && (
        <TextInput
          label={t("order")}
          error={errors.order_number}
          name="order_number"
          autoComplete="off"
          maxLength={64}
        />
      )}
      <TextArea
        label={t("message")}
        hint={t("message_hint")}
        error={errors.message}
        name="message"
        rows={6}
        maxLength={MAX_MESSAGE}
        required
      />
      <ErrorNotice>{problem}</ErrorNotice>
      <Button type="submit" look="primary" large pending={pending !== undefined} className="self-start">
        {t("submit")}
      </Button>
    </form>
  );
}
