import { STATUS_CODES } from "node:http";
import { textsOf } from "#brand/texts.server.ts";
import type { Locale } from "#i18n/locale.ts";
import { type Problem, type Refusal, retries } from "./refusal.ts";

export function problemOf(refusal: Refusal, locale: Locale, requestId: string): Problem {
  const { t } = textsOf[locale];
  return {
    type: `/api/docs#${refusal.code}`,
    title: STATUS_CODES[refusal.status] ?? "",
    status: refusal.status,
    code: refusal.code,
    detail: t(`refusal.${refusal.code}`),
    instance: requestId,
    ...(refusal.retryAfterSeconds !== undefined && { retryAfter: Math.ceil(refusal.retryAfterSeconds) }),
    ...(refusal.code in retries && { Retry: retries[refusal.code as keyof typeof retries] }),
    ...(refusal.voucherCode !== undefined && { VoucherCode: refusal.voucherCode }),
    ...(refusal.lines && { Lines: refusal.lines.map(({ line, reason }) => ({ Line: line, Reason: reason })) }),
    ...(refusal.errors && {
      errors: refusal.errors.map(({ field, code }) => ({ field, code, message: t(`field.${code}`) })),
    }),
  };
}

export function problemResponse(refusal: Refusal, locale: Locale, requestId: string): Response {
  const headers = new Headers({
    "content-type": "application/problem+json; charset=utf-8",
    "cache-control": "no-store",
    "content-language": locale,
  });
  if (refusal.retryAfterSeconds !== undefined) headers.set("retry-after", String(Math.ceil(refusal.retryAfterSeconds)));
  if (refusal.status === 401) headers.set("www-authenticate", 'Bearer realm="cercle"');
  return new Response(JSON.stringify(problemOf(refusal, locale, requestId)), { status: refusal.status, headers });
}
