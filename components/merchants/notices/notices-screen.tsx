"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { ConsoleHeader } from "@/components/console/page-header";
import { useAction } from "@/components/merchants/portal/use-action";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { ErrorNotice } from "@/components/ui/notice";
import type { NoticeSwitches } from "@/lib/merchants/notices/contract";
import { MERCHANT_NOTICES } from "@/lib/notifications/rules";
import { api } from "@/lib/platform/api/client";

type Props = { switches: NoticeSwitches; email: string; supportEmail: string | null };

/** Which emails about the merchant the person gets. */
export function NoticesScreen({ switches, email, supportEmail }: Props) {
  const t = useTranslations("console.merchant_notices");
  const { pending, problem, act } = useAction();
  const [chosen, setChosen] = useState(switches);
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    void act((options) => api.post<NoticeSwitches>("/merchant/notices", chosen, options), t("saved"));
  }
  return (
    <>
      <ConsoleHeader title={t("title")} lead={t("lead", { email })} />
      <form className="flex max-w-text flex-col gap-4" onSubmit={submit}>
        <fieldset className="flex flex-col divide-y divide-hairline rounded-control border border-hairline bg-raised px-4">
          <legend className="sr-only">{t("title")}</legend>
          {MERCHANT_NOTICES.map((notice) => (
            <div key={notice} className="py-3">
              <Checkbox
                name={notice}
                label={t(`kind.${notice}`)}
                checked={chosen[notice]}
                onChange={({ target }) => setChosen({ ...chosen, [notice]: target.checked })}
              />
              <p className="pl-8 text-13 text-quiet">{t(`text.${notice}`)}</p>
            </div>
          ))}
        </fieldset>
        <p className="text-quiet">{supportEmail ? t("support", { email: supportEmail }) : t("no_support")}</p>
        <ErrorNotice>{problem}</ErrorNotice>
        <Button type="submit" look="primary" pending={pending} className="self-start">
          {t("save")}
        </Button>
      </form>
    </>
  );
}
