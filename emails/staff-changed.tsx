import type { StaffRole } from "@/lib/platform/auth/permissions";
import { Action, Paragraph, Title } from "./parts";
import type { MailContext, MailTemplate } from "./template";

/** To each administrator, whenever someone's roles change. */
export type StaffChangedProps = {
  /** the address of whose roles changed; null: the account was deleted */
  person: string | null;
  /** an address, or `staff:` and an operating system user */
  by: string;
  before: readonly StaffRole[];
  after: readonly StaffRole[];
};

const names = (roles: readonly StaffRole[], { t }: MailContext) =>
  roles.map((role) => t(`staff_changed.role.${role}`)).join(" · ") || t("staff_changed.no_role");

export const staffChangedMail: MailTemplate<StaffChangedProps> = {
  subject: ({ person }, { t, brand }) =>
    person === null
      ? t("staff_changed.left_subject", { brand })
      : t("staff_changed.subject", { person, brand }),
  preview: ({ after }, context) => context.t("staff_changed.after", { roles: names(after, context) }),
  why: ({ t, brand }) => t("staff_changed.why", { brand }),
  body(props, context) {
    const { t, link } = context;
    return (
      <>
        <Title>
          {props.person === null
            ? t("staff_changed.left_title")
            : t("staff_changed.title", { person: props.person })}
        </Title>
        <Paragraph>{t("staff_changed.before", { roles: names(props.before, context) })}</Paragraph>
        <Paragraph>{t("staff_changed.after", { roles: names(props.after, context) })}</Paragraph>
        {props.person !== null && <Paragraph>{t("staff_changed.by", { by: props.by })}</Paragraph>}
        <Paragraph>{t("staff_changed.not_you")}</Paragraph>
        <Action href={link("/console/people")}>{t("staff_changed.action")}</Action>
      </>
    );
  },
};
