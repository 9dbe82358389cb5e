import en from "@/messages/en.json";
import ja from "@/messages/ja.json";
import zh from "@/messages/zh.json";
import type { Locale } from "./locales";

/** All messages of the shop, for the server. Pages load one language (request.ts). */
export const MESSAGES: Record<Locale, typeof en> = { en, zh, ja };
