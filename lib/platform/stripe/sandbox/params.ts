import { z } from "zod";

/** What the emulator answers: an HTTP status and Stripe's JSON. */
export type Answer = { status: number; body: unknown; replayed?: boolean };

type Refusal = { message: string; code?: string; param?: string; type?: string };

/** Stripe's error body. */
export const refusal = (status: number, { type = "invalid_request_error", ...error }: Refusal): Answer => ({
  status,
  body: { error: { type, ...error } },
});

export const missing = (status: number, kind: string, id: string, param: string): Answer =>
  refusal(status, { code: "resource_missing", param, message: `No such ${kind}: '${id}'` });

/** A form-encoded body, `a[b]=c` as `{ a: { b: "c" } }`; one level is all that the shop sends. */
export function formOf(body: string): Record<string, unknown> {
  const form: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(body)) {
    const [, outer, inner] = /^([a-z_]+)\[([a-z_]+|\d+)\]$/.exec(name) ?? [];
    if (outer && inner) form[outer] = { ...Group.parse(form[outer] ?? {}), [inner]: value };
    else form[name] = value;
  }
  return form;
}

const Group = z.record(z.string(), z.string());

const Cents = z
  .string()
  .regex(/^\d{1,8}$/)
  .transform(Number);
const Metadata = z.record(z.string().max(40), z.string().max(500)).default({});

export const IntentParams = z.strictObject({
  amount: Cents,
  currency: z.string().regex(/^[a-z]{3}$/),
  description: z.string().max(1000).optional(),
  receipt_email: z.string().max(500).optional(),
  automatic_payment_methods: z.strictObject({ enabled: z.literal("true") }).optional(),
  metadata: Metadata,
});

/** What the server may change of an open intent. An empty word takes `setup_future_usage` away. */
export const UpdateParams = z.strictObject({
  customer: z.string().optional(),
  setup_future_usage: z.enum(["", "on_session", "off_session"]).optional(),
});

/** What the provider's script sends from the browser; the secret stands for the secret key there. */
export const ConfirmParams = z.strictObject({
  client_secret: z.string().optional(),
  payment_method: z.string(),
  return_url: z.url().optional(),
});

export const RetrieveParams = z.strictObject({
  client_secret: z.string().optional(),
  expand: z.strictObject({ "0": z.literal("latest_charge") }).optional(),
});

export const LookBackParams = z.strictObject({
  created: z
    .strictObject({
      gte: z
        .string()
        .regex(/^\d{1,11}$/)
        .transform(Number),
    })
    .optional(),
  payment_intent: z.string().optional(),
  starting_after: z.string().optional(),
  limit: z
    .string()
    .regex(/^\d{1,3}$/)
    .transform(Number)
    .default(10),
});

export const CancelParams = z.strictObject({
  cancellation_reason: z.enum(["duplicate", "fraudulent", "requested_by_customer", "abandoned"]).optional(),
});

export const RefundParams = z.strictObject({
  payment_intent: z.string(),
  amount: Cents.optional(),
  reason: z.enum(["duplicate", "fraudulent", "requested_by_customer"]).optional(),
  metadata: Metadata,
});

export const CustomerParams = z.strictObject({ metadata: Metadata });

export const SetupParams = z.strictObject({
  customer: z.string(),
  allowed_payment_method_types: z.strictObject({ "0": z.literal("card") }).optional(),
  usage: z.enum(["on_session", "off_session"]).default("off_session"),
});

export const ListParams = z.strictObject({
  type: z.literal("card").optional(),
  limit: z
    .string()
    .regex(/^\d{1,3}$/)
    .transform(Number)
    .default(10),
});

/** The first complaint about parameters, with Stripe's code for it. */
export function badParams(error: z.ZodError): Answer {
  const issue = error.issues[0];
  if (issue?.code === "unrecognized_keys") {
    const param = issue.keys[0] ?? "";
    return refusal(400, {
      code: "parameter_unknown",
      param,
      message: `Received unknown parameter: ${param}`,
    });
  }
  const param = issue?.path.join(".") ?? "";
  if (issue?.code === "invalid_type")
    return refusal(400, { code: "parameter_missing", param, message: `Missing required param: ${param}.` });
  return refusal(400, { code: "parameter_invalid_integer", param, message: `Invalid value: ${param}` });
}
