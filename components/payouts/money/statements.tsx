"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { downloadFile } from "@/components/console/download";
import { RecordSection, RecordTable } from "@/components/console/record";
import { RowButton } from "@/components/console/row-button";
import { ShortDate } from "@/components/console/time";
import { useAction } from "@/components/merchants/portal/use-action";
import { Button } from "@/components/ui/button";
import { ErrorNotice } from "@/components/ui/notice";
import { useSurface } from "@/components/ui/surface";
import { showToast } from "@/components/ui/toast";
import type { Statement, StatementList } from "@/lib/payouts/statements/contract";
import { api } from "@/lib/platform/api/client";
import { fetchCall } from "@/lib/platform/api/light-client";
import { formatPrice, toSignedCents } from "@/lib/platform/money";

type Props = { handle: string; statements: StatementList; canMake: boolean };

/** The statements of a merchant's account, each as PDF and CSV. */
export function Statements({ handle, statements, canMake }: Props) {
  const t = useTranslations("console.merchant_statements");
  const { locale } = useSurface();
  const { pending, problem, act } = useAction();
  const usd = (amount: number) => formatPrice(toSignedCents(amount), locale);
  return (
    <RecordSection title={t("title")}>
      <RecordTable
        label={t("title")}
        rows={statements.items}
        rowId={({ statement_id }) => statement_id}
        empty={t("empty")}
        columns={[
          { name: t("number"), cell: ({ number }) => number },
          { name: t("until"), cell: ({ to }) => <ShortDate at={to} /> },
          { name: t("opening"), end: true, cell: ({ opening }) => usd(opening) },
          { name: t("closing"), end: true, cell: ({ closing }) => usd(closing) },
          {
            name: t("file"),
            cell: (statement) => (
              <span className="flex flex-wrap gap-x-4">
                <FileLink handle={handle} statement={statement} format="pdf" />
                <FileLink handle={handle} statement={statement} format="csv" />
              </span>
            ),
          },
        ]}
      />
      {canMake && (
        <Button
          className="mt-4"
          pending={pending}
          onClick={() =>
            void act((options) => api.post("/merchant/money/statements", {}, options), t("made"))
          }
        >
          {t("make")}
        </Button>
      )}
      <ErrorNotice className="mt-3">{problem}</ErrorNotice>
    </RecordSection>
  );
}

type FileProps = { handle: string; statement: Statement; format: "pdf" | "csv" };

function FileLink({ handle, statement: { statement_id, number }, format }: FileProps) {
  const t = useTranslations("console.merchant_statements");
  const network = useTranslations("errors")("network");
  const [pending, setPending] = useState(false);
  async function download() {
    setPending(true);
    try {
      const headers = { "passlane-merchant": handle };
      const response = await fetchCall(`/merchant/money/statements/${statement_id}/${format}`, { headers });
      if (response.ok) downloadFile(await response.blob(), `statement-${number}.${format}`);
      else showToast((await response.json()).message, "bad");
    } catch {
      showToast(network, "bad");
    }
    setPending(false);
  }
  return (
    <RowButton of={t("statement", { number })} disabled={pending} onClick={() => void download()}>
      {format.toUpperCase()}
    </RowButton>
  );
}
