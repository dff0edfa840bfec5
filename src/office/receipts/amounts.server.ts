import { amountOf } from "#brand/amounts.ts";

/** An amount that may be less than zero, as decimal text. */
export const amountText = (cents: number) => `${cents < 0 ? "-" : ""}${amountOf(Math.abs(cents))}`;

export const sumOf = <Row>(rows: readonly Row[], value: (row: Row) => number) =>
  rows.reduce((sum, row) => sum + value(row), 0);
