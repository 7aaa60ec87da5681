/** What a run is for. */
export type GoalName = 'up' | 'destroy' | 'restore' | 'drill' | 'clean-up' | 'eject' | 'access' | 'shutdown' | 'cure'
