import { CODE_MINUTES, type CodeMailPurpose } from "@/lib/accounts/rules";
import { Code } from "./code";
import { Paragraph, Quiet, Title } from "./parts";
import type { MailTemplate } from "./template";

export const verificationCodeMail: MailTemplate<{ purpose: CodeMailPurpose; code: string }> = {
  subject: ({ code }, { t, brand }) => t("verification_code.subject", { code, brand }),
  preview: ({ purpose }, { t }) => t(`verification_code.lead.${purpose}`),
  body: ({ purpose, code }, { t, brand }) => (
    <>
      <Title>{t(`verification_code.title.${purpose}`)}</Title>
      <Paragraph>{t(`verification_code.lead.${purpose}`)}</Paragraph>
      <Code value={code} label={t("verification_code.label")} size={34} />
      <Quiet>{t("verification_code.valid", { minutes: CODE_MINUTES })}</Quiet>
      <Paragraph>{t("verification_code.ignore", { brand })}</Paragraph>
    </>
  ),
};
