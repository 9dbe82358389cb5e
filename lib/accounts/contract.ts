import { z } from "zod";
import { ActorFields, EmailAddress, KnownEmail } from "@/lib/platform/api/fields";
import { foldAlphanumerics, foldCode } from "@/lib/platform/fold-text";
import {
  AGE_GROUPS,
  CODE_DIGITS,
  CODE_PURPOSES,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  ROLES,
  USERNAME_PATTERN,
} from "./rules";

/** A field that older clients send empty. */
const OptionalText = (max: number) => z.string().max(max).nullish();

/** An invite code as it is copied from a link. */
export const InviteCode = z.string().max(64).transform(foldCode).nullish();

export const NewPassword = z
  .string()
  .min(MIN_PASSWORD_LENGTH, { error: "password_short" })
  .max(MAX_PASSWORD_LENGTH);

export const Username = z
  .string()
  .trim()
  .min(1)
  .max(60)
  .regex(USERNAME_PATTERN, { error: "username_invalid" });

/** Six digits; spaces, hyphens, width and letters that are not drawn do not matter. */
export const CodeText = z
  .string()
  .transform(foldAlphanumerics)
  .pipe(z.string().regex(new RegExp(`^\\d{${CODE_DIGITS}}$`), { error: "code_wrong" }));

/** Where a visitor came from (docs/product.md#33-what-the-browser-keeps); other fields in it are dropped. */
export const SourceInfo = z.object({
  source: OptionalText(200),
  campaign: OptionalText(200),
  medium: OptionalText(200),
  content: OptionalText(200),
  id: OptionalText(200),
  timestamp: z.union([z.string().max(40), z.number()]).nullish(),
  landingPage: OptionalText(2000),
  referrer: OptionalText(2000),
});
export type SourceInfo = z.output<typeof SourceInfo>;

const Registration = {
  create_user_id: ActorFields.create_user_id,
  user_email: EmailAddress,
  user_password: NewPassword,
  username: Username.optional(),
  accept_privacy: z.boolean().refine(Boolean, { error: "privacy_required" }).optional(),
  age_group: z
    .enum(AGE_GROUPS)
    .refine((group) => group !== "under_13", { error: "under_age" })
    .optional(),
  invited_account: InviteCode,
  auth_provider: OptionalText(40),
  source_info: SourceInfo.nullish(),
};

/** POST /auth/register/email (docs/product.md#72-accounts): the code verifies the address. */
export const RegisterByEmailInput = z.object({
  ...Registration,
  verification_code: CodeText,
  verification_id: z.string().max(64).optional(),
});
export type RegisterByEmailInput = z.output<typeof RegisterByEmailInput>;

/** POST /auth/register/direct (docs/product.md#72-accounts): no code, an unverified account. */
export const RegisterDirectlyInput = z.object({
  ...Registration,
  tracking_id: OptionalText(200),
  id: OptionalText(200),
});
export type RegisterDirectlyInput = z.output<typeof RegisterDirectlyInput>;

export const LoginInput = z.object({ user_email: KnownEmail, user_password: z.string().min(1).max(1000) });
export type LoginInput = z.output<typeof LoginInput>;

export const SendCodeInput = z.object({
  email: EmailAddress,
  verification_type: z.enum(CODE_PURPOSES).exclude(["withdraw"]), // /order/withdraw sends that code itself
});
export type SendCodeInput = z.output<typeof SendCodeInput>;

/** `verification_id` is sent back with the code; the other values are seconds. */
export const CodeSent = z.object({ verification_id: z.string(), resend_after: z.int(), expires_in: z.int() });
export type CodeSent = z.output<typeof CodeSent>;

export const VerifyEmailInput = z.object({ email: EmailAddress, code: CodeText });
export type VerifyEmailInput = z.output<typeof VerifyEmailInput>;

export const EmailVerified = z.object({ email: z.string(), is_verified: z.literal(true) });

export const RefreshInput = z.object({ refresh_token: z.string().min(1).max(400) });
export type RefreshInput = z.output<typeof RefreshInput>;

const Account = {
  user_id: z.string(),
  user_email: z.string(),
  username: z.string(),
  phone: z.string().nullable(),
  country_code: z.string().nullable(),
};

/** The response of login, registration and refresh: tokens and user fields in one flat object (docs/product.md#31-fields-in-calls). */
export const SignedIn = z.object({ token: z.string(), refresh_token: z.string(), ...Account });
export type SignedIn = z.output<typeof SignedIn>;

export const AccountView = z.object({
  ...Account,
  email_verified: z.boolean(),
  role: z.enum(ROLES),
  locale: z.string(),
  invite_code: z.string(),
});
export type AccountView = z.output<typeof AccountView>;

/** The account, its creation time (ISO 8601) and the current session. */
export type ProfileView = AccountView & { member_since: string; session_id: string };

/** What the header of a public page loads after the page. */
export const SessionSummary = z.object({
  signed_in: z.boolean(),
  user_id: z.string().optional(),
  username: z.string().optional(),
  cart_count: z.int(),
});
export type SessionSummary = z.output<typeof SessionSummary>;
