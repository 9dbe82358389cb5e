"use client";

import { type ComponentProps, useState } from "react";
import { TextInput } from "@/components/ui/text-input";
import { browserTimeZone } from "@/lib/platform/time-zone";

const pad = (value: number) => String(value).padStart(2, "0");

/** An instant as a field of the browser shows it, in the browser's zone: `2026-11-24T10:30`. */
function toLocal(at: string | null | undefined): string {
  if (!at) return "";
  const time = new Date(at);
  const day = `${time.getFullYear()}-${pad(time.getMonth() + 1)}-${pad(time.getDate())}`;
  return `${day}T${pad(time.getHours())}:${pad(time.getMinutes())}`;
}

/** The instant of a `TimeInput` in a form; undefined when it is empty. */
export function readTime(fields: FormData, name: string): string | undefined {
  const time = new Date(String(fields.get(name) ?? ""));
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** A day and time in the browser's zone, which its label names. For dialogs, which the server never renders. */
export function TimeInput({
  at,
  label,
  ...rest
}: Omit<ComponentProps<typeof TextInput>, "type" | "defaultValue"> & { at?: string | null }) {
  const [zone] = useState(browserTimeZone);
  return (
    <TextInput {...rest} label={`${label} (${zone})`} type="datetime-local" defaultValue={toLocal(at)} />
  );
}
