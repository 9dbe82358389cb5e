import { useTranslations } from "next-intl";
import { CopyButton } from "@/components/ui/copy-button";
import { DefinitionRows } from "@/components/ui/definition-rows";
import { JsonLd } from "@/components/ui/json-ld";
import { Link } from "@/components/ui/link";
import { Page } from "@/components/ui/page";
import { clientSettings, exampleCommand, examples } from "@/lib/agents/examples/rules";

type Props = {
  origin: string;
  /** a pass for the examples */
  planId: number;
  jsonLd: unknown;
};

const TOOLS = [
  "search_catalog",
  "lookup_catalog",
  "get_product",
  "compare_passes",
  "plan_passes",
  "refund_quote",
  "create_cart",
  "update_cart",
  "get_cart",
] as const;

/**
 * The page about assistants for shoppers, builders and merchants. tests/api/agents-examples.test.ts runs its examples.
 */
export function AgentsScreen({ origin, planId, jsonLd }: Props) {
  const t = useTranslations("agents.about");
  return (
    <Page title={t("title")} lead={t("lead")}>
      <JsonLd of={jsonLd} />
      <div className="flex max-w-text flex-col gap-10">
        <section aria-labelledby="shoppers" className="flex flex-col gap-3">
          <h2 id="shoppers" className="text-21">
            {t("shoppers")}
          </h2>
          <p>{t("shoppers_text")}</p>
          <ol className="flex list-decimal flex-col gap-2 pl-5">
            <li>{t("step_add")}</li>
            <li>
              {t("step_ask")} <q>{t("step_question")}</q>
            </li>
            <li>{t("step_open")}</li>
          </ol>
          <Code text={`${origin}/mcp`} name={t("address")} />
          <p className="text-quiet">{t("promise")}</p>
          <p>
            <Link href="/plan" className="text-link">
              {t("plan_yourself")}
            </Link>
          </p>
        </section>
        <section aria-labelledby="builders" className="flex flex-col gap-3">
          <h2 id="builders" className="text-21">
            {t("builders")}
          </h2>
          <p>{t("builders_text")}</p>
          <Code text={clientSettings(origin, "passlane")} name={t("settings")} />
          <DefinitionRows
            rows={TOOLS.map((tool) => ({
              term: <code className="font-mono text-13">{tool}</code>,
              value: t(`tool_${tool}`),
            }))}
          />
          <DefinitionRows
            rows={[
              { term: t("address_profile"), value: <Address of="/.well-known/ucp" /> },
              { term: "REST", value: <Address of="/ucp/v1" /> },
              { term: "MCP", value: <Address of="/mcp" /> },
              { term: t("address_link"), value: <Address of={`/ucp/v1/p/${planId}:1`} /> },
              { term: t("address_markdown"), value: <Address of="/help.md" /> },
              { term: t("address_lists"), value: <Address of="/llms.txt, /server.json" /> },
            ]}
          />
        </section>
        <section aria-labelledby="examples" className="flex flex-col gap-5">
          <h2 id="examples" className="text-21">
            {t("examples")}
          </h2>
          {examples(planId).map((example) => (
            <Code
              key={example.name}
              text={exampleCommand(origin, example)}
              name={t(`example_${example.name}`)}
            />
          ))}
          <p className="text-quiet">{t("limits")}</p>
        </section>
        <section aria-labelledby="merchants" className="flex flex-col gap-3">
          <h2 id="merchants" className="text-21">
            {t("merchants")}
          </h2>
          <p>{t("merchants_text")}</p>
          <Code text={`${origin}/mcp/merchant`} name={t("address")} />
          <p>
            <Link href="/business/register" className="text-link">
              {t("sell")}
            </Link>
          </p>
        </section>
      </div>
    </Page>
  );
}

function Address({ of }: { of: string }) {
  return <code className="font-mono text-13 break-all">{of}</code>;
}

function Code({ text, name }: { text: string; name: string }) {
  const t = useTranslations("agents.about");
  const labels = { copy: t("copy"), copied: t("copied"), failed: t("copy_failed") };
  return (
    <figure className="flex flex-col gap-1.5">
      <figcaption className="flex items-center justify-between gap-3 font-medium">
        {name}
        <CopyButton text={text} labels={labels} look="quiet" />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable block is reached with the keyboard */}
      <pre tabIndex={0} className="overflow-x-auto rounded-control bg-sunk p-4 text-13">
        <code>{text}</code>
      </pre>
    </figure>
  );
}
