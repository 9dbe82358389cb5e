/** The texts of the sandbox's page in place of a provider's, as keys of the messages. */
export const SANDBOX_PAGE_LABELS = {
  google: "accounts.social.sandbox.title_google",
  github: "accounts.social.sandbox.title_github",
  text: "accounts.social.sandbox.text",
  email: "accounts.social.sandbox.email",
  verified: "accounts.social.sandbox.verified",
  submit: "accounts.social.sandbox.submit",
  cancel: "accounts.social.sandbox.cancel",
} as const;
export type SandboxPageLabels = Record<keyof typeof SANDBOX_PAGE_LABELS, string>;

export const SANDBOX_CLOSE_LABEL = "accounts.social.sandbox.close";
