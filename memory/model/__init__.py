"""The models: Claude, the offline brain, the tool loop, token estimates and usage."""
