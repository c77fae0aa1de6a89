"""A task as a job: run now in the foreground, or given to the worker that runs beside the app."""
