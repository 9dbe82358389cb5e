"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { CodeBox } from "@/components/ui/code-box";
import { ErrorNotice } from "@/components/ui/notice";
import { useCall } from "@/components/ui/use-call";
import { api } from "@/lib/platform/api/client";

/** A code of the signed-in user, masked until it is revealed. Each reveal is recorded. */
export function KeyCode({ libraryId, masked }: { libraryId: string; masked: string }) {
  const router = useRouter();
  const [code, setCode] = useState<string>();
  const t = useTranslations("delivery.code");
  const { pending, problem, run } = useCall(useTranslations("errors")("network"));

  async function reveal() {
    const result = await run((options) => api.post("/library/reveal", { library_id: libraryId }, options));
    if (!result.ok) return;
    setCode(result.data.code);
    router.refresh(); // The pass's clock has started.
  }

  return (
    <div className="flex flex-col gap-2">
      <CodeBox
        masked={masked}
        code={code}
        pending={pending}
        labels={{
          label: t("label"),
          reveal: t("reveal"),
          copy: t("copy"),
          copied: t("copied"),
          failed: t("failed"),
        }}
        onReveal={reveal}
      />
      <ErrorNotice>{problem}</ErrorNotice>
    </div>
  );
}
