import { useTranslations } from "next-intl";
import { Icon } from "@/components/ui/icon";
import { Page } from "@/components/ui/page";
import { ContactForm } from "./contact-form";
import type { HelpItem } from "./help-items";

/** The help centre: questions with answers, and the form that reaches support (docs/product.md#21-pages). */
export function HelpScreen({ items, jsonLd }: { items: readonly HelpItem[]; jsonLd: unknown }) {
  const t = useTranslations("notifications.help");
  return (
    <Page jsonLd={jsonLd} title={t("title")} lead={t("lead")}>
      <div className="grid grid-cols-[minmax(0,1fr)_26rem] items-start gap-x-16 gap-y-10 max-lg:grid-cols-1">
        <section aria-labelledby="questions">
          <h2 id="questions" className="pb-3 text-21">
            {t("faq_title")}
          </h2>
          <nav aria-label={useTranslations("ui.legal")("contents")} className="pb-6 max-md:hidden">
            <ol className="columns-2 gap-x-8 text-13">
              {items.map(({ name, question }) => (
                <li key={name} className="break-inside-avoid">
                  <a href={`#${name}`} className="flex min-h-11 items-center text-quiet hover:underline">
                    {question}
                  </a>
                </li>
              ))}
            </ol>
          </nav>
          {items.map(({ name, question, answer }) => (
            <details key={name} className="group border-t border-hairline last:border-b">
              <summary className="flex min-h-13 cursor-pointer items-center justify-between gap-4 py-3 font-medium">
                <h3 className="text-17">{question}</h3>
                <Icon name="down" className="text-quiet group-open:rotate-180" />
              </summary>
              {/* The id is here, because browsers open a closed section that contains the target of a link. */}
              <p id={name} className="max-w-text scroll-mt-24 pb-5 text-quiet">
                {answer}
              </p>
            </details>
          ))}
        </section>
        <section
          id="contact"
          aria-labelledby="contact-title"
          className="rounded-ticket border border-hairline bg-raised p-6"
        >
          <h2 id="contact-title" className="text-21">
            {t("form.title")}
          </h2>
          <p className="pt-1 pb-5 text-quiet">{t("form.lead")}</p>
          <ContactForm labels={useFormLabels()} />
        </section>
      </div>
    </Page>
  );
}

export type ContactLabels = ReturnType<typeof useFormLabels>;

function useFormLabels() {
  const t = useTranslations("notifications.help.form");
  const errors = useTranslations("errors");
  return {
    email: t("email"),
    order: t("order"),
    message: t("message"),
    messageHint: t("message_hint"),
    messageMissing: t("message_missing"),
    website: t("website"),
    submit: t("submit"),
    sent: t("sent"),
    messages: t("messages"),
    // The form fills in the values, because a cached page holds nothing that was typed.
    sentText: t("sent_text", { email: "%email", reference: "%reference" }),
    emailInvalid: errors("email_invalid"),
    network: errors("network"),
  };
}
