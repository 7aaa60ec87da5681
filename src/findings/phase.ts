/**
 * When a finding is found. What an inventory, a placement or a rule before the plan refuses is collected and shown
 * together; a planner that refuses stops, because later ones rely on it; what a look finds refuses nothing.
 */
export type Phase = 'inventory' | 'placement' | 'before-plan' | 'in-plan' | 'look'
