"""The log and all that follows from it: rules core, fold, records. Imports neither service nor workers."""
