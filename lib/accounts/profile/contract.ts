import { z } from "zod";
import { CodeText, NewPassword, type ProfileView, SignedIn, Username } from "@/lib/accounts/contract";
import type { SessionView } from "@/lib/accounts/devices/contract";
import type { IdentityProvider } from "@/lib/accounts/rules";
import type { NotificationsView } from "@/lib/notifications/settings/contract";
import { EmailAddress, KnownEmail } from "@/lib/platform/api/fields";
import { foldAlphanumerics } from "@/lib/platform/fold-text";

/** A submitted code and its id (from the response of send-verification-code). */
const SubmittedCode = { verification_code: CodeText, verification_id: z.string().max(64).optional() };

/** POST /auth/verify-reset-code (docs/product.md#72-accounts): counts an attempt, does not consume the code. */
export const VerifyResetCodeInput = z.object({ email: EmailAddress, ...SubmittedCode });
export type VerifyResetCodeInput = z.output<typeof VerifyResetCodeInput>;
export const ResetCodeVerified = z.object({ verified: z.literal(true) });

/** POST /auth/reset-password (docs/product.md#72-accounts). */
export const ResetPasswordInput = z.object({
  email: EmailAddress,
  new_password: NewPassword,
  ...SubmittedCode,
});
export type ResetPasswordInput = z.output<typeof ResetPasswordInput>;
/** Does not sign in: the user logs in with the new password. */
export const PasswordReset = z.object({ reset: z.literal(true) });

/** POST /auth/email/update (docs/product.md#72-accounts): the `change_email` code went to the new address. */
export const UpdateEmailInput = z.object({ new_email: EmailAddress, ...SubmittedCode });
export type UpdateEmailInput = z.output<typeof UpdateEmailInput>;
/** As after a login: this session continues under a new id, all other sessions end. */
export const EmailUpdated = SignedIn;

/** POST /auth/phone/update (docs/product.md#72-accounts). An empty number removes it. `country_code` is ISO 3166-1 ("JP") or "+81". */
export const UpdatePhoneInput = z.object({
  new_phone: z.string().trim().max(40, { error: "phone_invalid" }),
  country_code: z.string().trim().max(5, { error: "phone_invalid" }).nullish(),
});
export type UpdatePhoneInput = z.output<typeof UpdatePhoneInput>;
/** The number in E.164 ("+819012345678") and its country. */
export const PhoneView = z.object({ phone: z.string().nullable(), country_code: z.string().nullable() });
export type PhoneView = z.output<typeof PhoneView>;

/** PUT /auth/username/update (docs/product.md#72-accounts). */
export const UpdateUsernameInput = z.object({ new_username: Username });
export type UpdateUsernameInput = z.output<typeof UpdateUsernameInput>;
export const UsernameView = z.object({ username: z.string() });
export type UsernameView = z.output<typeof UsernameView>;

/** A code of the authenticator app (6 digits) or a recovery code, with the tolerance of `CodeText`. */
export const FactorCode = z
  .string()
  .max(40, { error: "code_wrong" })
  .transform((text) => foldAlphanumerics(text).toLowerCase())
  .meta({ example: "123456" });

/** POST /auth/reauthenticate: the password, or an `order_email` code that was mailed to the account's own address. */
export const ReauthenticateInput = z
  .object({
    password: z.string().min(1).max(1000).optional(),
    verification_code: CodeText.optional(),
    verification_id: SubmittedCode.verification_id,
    /** Required in staff mode, beside the password. */
    second_factor: FactorCode.optional(),
  })
  .refine(
    ({ password, verification_code }) => (password === undefined) !== (verification_code === undefined),
    { error: "field_required", path: ["password"] },
  );
export type ReauthenticateInput = z.output<typeof ReauthenticateInput>;
/** `expires_in`: seconds for which sensitive changes need no further reauthentication. */
export const ReauthenticationView = z.object({ proved: z.literal(true), expires_in: z.int() });
export type ReauthenticationView = z.output<typeof ReauthenticationView>;

/** POST /auth/delete: `confirm` is the account's e-mail address, typed again. */
export const DeleteAccountInput = z.object({ confirm: KnownEmail.meta({ example: "mara@example.com" }) });
export type DeleteAccountInput = z.output<typeof DeleteAccountInput>;
export const AccountDeleted = z.object({ deleted: z.literal(true) });

/** The job that deletes the stored cards of a former owner at the payment provider. */
export const DeleteProviderCustomer = {
  name: "delete-provider-customer",
  schema: z.object({ userId: z.string() }),
};

/** The state of the security page besides sessions and identities. */
export const SecurityView = z.object({
  has_password: z.boolean(),
  /** This session was reauthenticated recently: sensitive changes are allowed. */
  proved: z.boolean(),
});
export type SecurityView = z.output<typeof SecurityView>;

export type ConnectedIdentity = { provider: IdentityProvider; email: string; since: string };
export type PhoneNumberView = { international: string; national: string; country: string | null };

export type ProfilePage = {
  profile: ProfileView;
  security: SecurityView;
  identities: ConnectedIdentity[];
  devices: SessionView[];
  notifications: NotificationsView;
  phone: PhoneNumberView | null;
  /** Whether the account is staff, and the merchants for which it sells. */
  consoles: { staff: boolean; merchants: { handle: string; name: string }[] };
  /** Calling codes by country: ["JP", "81"]. */
  callingCodes: [country: string, code: string][];
};
