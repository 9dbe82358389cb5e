"use client";

import { useTranslations } from "next-intl";
import { ConsoleLink } from "@/components/console/link";
import { ConsoleHeader } from "@/components/console/page-header";
import { RecordSection, RecordTable } from "@/components/console/record";
import { ButtonLink } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { CALL_EXAMPLES, curlExample, fetchExample, WEBHOOK_EXAMPLE } from "@/lib/merchants/developers/rules";

type Props = {
  handle: string;
  /** of the shop's addresses */
  origin: string;
  /** tokens begin with plm_live_ */
  live: boolean;
  mayCreate: boolean;
  /** a plan for the examples */
  planId: number;
};

const WEBHOOK_RULES = ["answer", "repeat", "order", "retry", "disable", "rotate", "code"] as const;
const ERRORS = ["40102", "40300", "40316", "40000", "429"] as const;

/** How programs call the shop for a merchant. Its examples are run by tests/api/merchant-developers.test.ts. */
export function DevelopersScreen({ handle, origin, live, mayCreate, planId }: Props) {
  const t = useTranslations("console.merchant_developers");
  return (
    <>
      <ConsoleHeader title={t("title")} lead={t("lead")}>
        <ButtonLink href="/api/v1/merchant/openapi.json">{t("openapi")}</ButtonLink>
      </ConsoleHeader>
      <RecordSection title={t("start")}>
        <ol className="flex max-w-text list-decimal flex-col gap-2 pl-5">
          <li>
            {mayCreate ? (
              <ConsoleLink href={`/merchant/${handle}/tokens`} className="text-link">
                {t("step_token")}
              </ConsoleLink>
            ) : (
              t("step_token_ask")
            )}
          </li>
          <li>
            {t("step_keep")}
            <Code
              text={`export PASSLANE_TOKEN=${live ? "plm_live_…" : "plm_test_…"}`}
              name={t("environment")}
            />
          </li>
          <li>{t("step_call")}</li>
        </ol>
      </RecordSection>
      {CALL_EXAMPLES.map((example) => (
        <RecordSection key={example.name} title={t(`example.${example.name}`)}>
          <p className="pb-3 text-quiet">
            {t("scope")} <code className="font-mono">{example.scope}</code>
          </p>
          <Code text={curlExample(origin, example, planId)} name="curl" />
          <Code text={fetchExample(origin, example, planId)} name="JavaScript" />
        </RecordSection>
      ))}
      <section id="webhooks" className="scroll-mt-20">
        <RecordSection title={t("webhooks")}>
          <p className="max-w-text pb-3">
            {t("webhooks_lead")}{" "}
            <ConsoleLink href={`/merchant/${handle}/webhooks`} className="text-link">
              {t("webhooks_open")}
            </ConsoleLink>
          </p>
          <p className="max-w-text">{t("webhooks_verify")}</p>
          <Code text={WEBHOOK_EXAMPLE} name="JavaScript" />
          <ul className="flex max-w-text list-disc flex-col gap-2 pl-5">
            {WEBHOOK_RULES.map((rule) => (
              <li key={rule}>{t(`webhooks_rules.${rule}`)}</li>
            ))}
          </ul>
          <p className="max-w-text pt-3 text-quiet">{t("webhooks_schemas")}</p>
        </RecordSection>
      </section>
      <RecordSection title={t("answers")}>
        <div className="flex max-w-text flex-col gap-2">
          <p>{t("envelope")}</p>
          <p>{t("repeat")}</p>
          <p>{t("limits")}</p>
          <p>{t("merchant_header", { header: "Passlane-Merchant" })}</p>
        </div>
      </RecordSection>
      <RecordSection title={t("errors")}>
        <RecordTable
          label={t("errors")}
          rows={ERRORS}
          rowId={(code) => code}
          empty=""
          columns={[
            { name: t("code"), cell: (code) => <code className="font-mono">{code}</code> },
            { name: t("meaning"), cell: (code) => t(`error.${code}`) },
          ]}
        />
      </RecordSection>
    </>
  );
}

/** A text to copy. */
function Code({ text, name }: { text: string; name: string }) {
  const t = useTranslations("console.merchant_developers");
  return (
    <figure className="mt-2 mb-4 max-w-text rounded-control border border-hairline bg-raised">
      <figcaption className="flex items-center justify-between gap-3 border-b border-hairline py-1 pr-1 pl-3 text-13 text-quiet">
        {name}
        <CopyButton
          look="quiet"
          text={text}
          labels={{ copy: t("copy"), copied: t("copied"), failed: t("copy_failed") }}
        />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls is reached by the keyboard */}
      <pre tabIndex={0} className="overflow-x-auto p-3 font-mono text-13">
        {text}
      </pre>
    </figure>
  );
}
