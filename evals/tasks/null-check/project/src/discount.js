const levels = { silver: 0.05, gold: 0.1 };

/** The share that is taken off for a customer: what was agreed on, else what the level gives. */
export function discountOf(customer) {
  if (customer.agreed === undefined) return levels[customer.level] ?? 0;
  return customer.agreed;
}
