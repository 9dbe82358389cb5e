import { sql } from "drizzle-orm";
import { boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { AGE_GROUPS, CODE_PURPOSES, IDENTITY_PROVIDERS, ROLES } from "@/lib/accounts/rules";
import { at, createdAt, id, oneOf, reference } from "./columns";

export const users = pgTable(
  "users",
  {
    id: id(),
    email: text("email").notNull(),
    username: text("username").notNull(),
    passwordHash: text("password_hash"),
    /** Set by staff when someone else knows the password: no session begins until a new one is set by a mailed code. */
    newPasswordRequiredAt: at("new_password_required_at"),
    emailVerifiedAt: at("email_verified_at"),
    phone: text("phone"),
    countryCode: text("country_code"),
    locale: text("locale").notNull(),
    /** ISO 3166-1, two letters: where the person lives, as asked at checkout. null: never asked. */
    country: text("country"),
    role: text("role", { enum: ROLES }).notNull().default("user"),
    ageGroup: text("age_group", { enum: AGE_GROUPS }),
    privacyAcceptedAt: at("privacy_accepted_at"),
    inviteCode: text("invite_code").notNull().unique(),
    invitedBy: text("invited_by"),
    signupSource: jsonb("signup_source").$type<Record<string, string>>(),
    createdAt: createdAt(),
    /** When the account was erased: it cannot sign in, and its row holds no personal data. */
    deletedAt: at("deleted_at"),
  },
  (t) => [
    uniqueIndex("users_email_unique").on(sql`lower(${t.email})`),
    // The lists of the staff console (docs/performance.md#staff-console).
    index("users_by_time").on(t.createdAt, t.id),
    index("users_by_email").on(sql`lower(${t.email}) collate "C"`, t.createdAt, t.id),
    index("users_by_name")
      .on(sql`lower(${t.username}) collate "C"`, t.createdAt, t.id)
      .concurrently()
      .where(sql`deleted_at is null`),
    // A surname, or the middle of an address (db/functions/find_people.sql).
    index("users_by_part")
      .using("gin", sql`lower(${t.email}) gin_trgm_ops`, sql`lower(${t.username}) gin_trgm_ops`)
      .concurrently()
      .where(sql`deleted_at is null`),
    check("users_role", oneOf("role", ROLES)),
    check("users_not_under_13", sql`age_group is distinct from 'under_13'`),
  ],
);

/** A column with the user that a row belongs to. */
export const userId = () => reference("user_id", () => users.id);

export const sessions = pgTable(
  "sessions",
  {
    id: id(),
    userId: userId(),
    refreshHash: text("refresh_hash").notNull(),
    previousRefreshHash: text("previous_refresh_hash"),
    rotatedAt: at("rotated_at"),
    device: text("device").notNull(),
    /** IANA name of the zone in which the device last wrote; the account's emails use it. null: unknown. */
    timeZone: text("time_zone"),
    createdAt: createdAt(),
    seenAt: at("seen_at").notNull().default(sql`shop_now()`),
    expiresAt: at("expires_at").notNull(),
    revokedAt: at("revoked_at"),
    /** Last reauthentication in this session. */
    reauthenticatedAt: at("reauthenticated_at").notNull().default(sql`shop_now()`),
    /** When the second factor was given: from then on the session is one of staff. null: an ordinary user's. */
    factorAt: at("factor_at"),
    /** Last use of the staff console or its calls. */
    staffSeenAt: at("staff_seen_at"),
    /** When both password and second factor were last given. */
    staffReauthenticatedAt: at("staff_reauthenticated_at"),
  },
  (t) => [
    uniqueIndex("sessions_refresh_hash").on(t.refreshHash),
    index("sessions_previous_refresh_hash").on(t.previousRefreshHash),
    index("sessions_user").on(t.userId),
    index("sessions_by_end").on(sql`least(${t.revokedAt}, ${t.expiresAt})`).concurrently(),
  ],
);

export const verificationCodes = pgTable(
  "verification_codes",
  {
    id: id(),
    email: text("email").notNull(),
    purpose: text("purpose", { enum: CODE_PURPOSES }).notNull(),
    userId: text("user_id").references(() => users.id),
    codeHash: text("code_hash").notNull(),
    tries: integer("tries").notNull().default(0),
    /** The requesting network, as an HMAC; null for signed-in users. */
    requesterNetwork: text("requester_network"),
    /** Wrong attempts from other networks without the code's id. */
    triesFromOtherNetworks: integer("tries_from_other_networks").notNull().default(0),
    createdAt: createdAt(),
    expiresAt: at("expires_at").notNull(),
    usedAt: at("used_at"),
  },
  (t) => [
    index("verification_codes_email").on(sql`lower(${t.email})`, t.purpose, t.createdAt),
    index("verification_codes_by_time").on(t.createdAt).concurrently(),
    index("verification_codes_of_user").on(t.userId).concurrently().where(sql`user_id is not null`),
    check("verification_codes_purpose", oneOf("purpose", CODE_PURPOSES)),
    check("verification_codes_tries", sql`tries >= 0`),
  ],
);

/** Verified addresses besides the account's own (delivery email). */
export const verifiedEmails = pgTable(
  "verified_emails",
  {
    userId: userId(),
    email: text("email").notNull(),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex("verified_emails_unique").on(t.userId, sql`lower(${t.email})`)],
);

/** Linked identities; `subject` is the provider's unchanging user id. */
export const userIdentities = pgTable(
  "user_identities",
  {
    id: id(),
    userId: userId(),
    provider: text("provider", { enum: IDENTITY_PROVIDERS }).notNull(),
    subject: text("subject").notNull(),
    email: text("email").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("user_identities_subject").on(t.provider, t.subject),
    uniqueIndex("user_identities_one").on(t.userId, t.provider),
    check("user_identities_provider", oneOf("provider", IDENTITY_PROVIDERS)),
  ],
);

/** Billing addresses for receipts (docs/product.md#21-pages). */
export const billingAddresses = pgTable(
  "billing_addresses",
  {
    id: id(),
    userId: userId(),
    fullName: text("full_name").notNull(),
    line1: text("line1").notNull(),
    line2: text("line2"),
    city: text("city").notNull(),
    region: text("region"),
    postalCode: text("postal_code"),
    /** ISO 3166-1, two letters */
    country: text("country").notNull(),
    isDefault: boolean("is_default").notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [
    index("billing_addresses_of_user").on(t.userId),
    uniqueIndex("billing_addresses_default").on(t.userId).where(sql`is_default`),
  ],
);
