"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Notice } from "@/components/ui/notice";

type Props = { title: string; secret: string | undefined; onStored: () => void };

/** Shows a new secret, once. */
export function SecretNotice({ title, secret, onStored }: Props) {
  const t = useTranslations("console.secret");
  if (!secret) return null;
  return (
    <Notice kind="good" title={title} live className="mb-6">
      <code className="block py-2 font-mono wrap-anywhere select-all">{secret}</code>
      <div className="flex flex-wrap gap-3 pt-1">
        <CopyButton
          text={secret}
          labels={{ copy: t("copy"), copied: t("copied"), failed: t("copy_failed") }}
        />
        <Button onClick={onStored}>{t("stored")}</Button>
      </div>
    </Notice>
  );
}
