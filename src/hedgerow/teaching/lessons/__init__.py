"""Step-through pages, a file each; what such a file has stands in hedgerow.teaching.lesson."""
